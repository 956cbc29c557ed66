//! A client of every call there is, made from the descriptors: requests are written as JSON.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use prost::Message;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, MethodDescriptor,
    SerializeOptions,
};
use serde_json::Value;
use tokio_stream::StreamExt;
use tonic::{
    Request, Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    transport::{Channel, Endpoint},
};

/// How long an answer may take to begin, a little more than a server allows itself.
const PATIENCE: Duration = Duration::from_secs(90);

/// The calls of the package, by `Service/Method`.
pub(crate) type Methods = Arc<BTreeMap<String, MethodDescriptor>>;

/// Every call of the package.
pub(crate) fn methods() -> Methods {
    let pool = DescriptorPool::decode(pawl_proto::v1::DESCRIPTORS).unwrap();
    let of_package = pool
        .services()
        .filter(|service| service.package_name() == "pawl.v1");
    let methods = of_package.flat_map(|service| service.methods().collect::<Vec<_>>());
    let named = methods.map(|method| {
        let name = format!("{}/{}", method.parent_service().name(), method.name());
        (name, method)
    });
    Arc::new(named.collect())
}

/// A connection with somebody's token.
#[derive(Clone)]
pub(crate) struct Wire {
    channel: Channel,
    token: String,
    pub(crate) methods: Methods,
}

impl Wire {
    pub(crate) fn new(methods: &Methods, url: &str, token: &str) -> Self {
        Self {
            channel: Endpoint::from_shared(url.to_owned())
                .unwrap()
                .timeout(PATIENCE)
                .connect_lazy(),
            token: token.to_owned(),
            methods: methods.clone(),
        }
    }

    /// The message a call takes, from JSON.
    pub(crate) fn message(&self, method: &str, body: &Value) -> DynamicMessage {
        let text = body.to_string();
        let mut reader = serde_json::Deserializer::from_str(&text);
        let options = DeserializeOptions::new();
        DynamicMessage::deserialize_with_options(
            self.methods[method].input(),
            &mut reader,
            &options,
        )
        .unwrap_or_else(|error| panic!("{method}: {error}: {text}"))
    }

    /// Calls, and gives the messages of the answer, at most `most` of them.
    pub(crate) async fn call(
        &self,
        method: &str,
        sent: Vec<DynamicMessage>,
        most: usize,
    ) -> Result<Vec<DynamicMessage>, Status> {
        let descriptor = &self.methods[method];
        let path = format!("/pawl.v1.{method}").parse().unwrap();
        let mut client =
            tonic::client::Grpc::new(self.channel.clone()).max_decoding_message_size(64 << 20);
        client
            .ready()
            .await
            .map_err(|error| Status::from_error(error.into()))?;
        let mut request = Request::new(tokio_stream::iter(sent));
        let bearer = format!("Bearer {}", self.token).parse().unwrap();
        request.metadata_mut().insert("authorization", bearer);
        let codec = Dynamic(descriptor.output());
        let mut stream = client.streaming(request, path, codec).await?.into_inner();
        let mut answers = Vec::new();
        while answers.len() < most {
            match stream.next().await {
                Some(answer) => answers.push(answer?),
                None => break,
            }
        }
        Ok(answers)
    }

    /// Calls with one message and gives the one that answers.
    pub(crate) async fn ask(&self, method: &str, body: Value) -> Result<Value, Status> {
        let sent = vec![self.message(method, &body)];
        let answers = self.call(method, sent, 1).await?;
        Ok(answers.first().map(json).unwrap_or_default())
    }
}

/// A message as JSON, with every field.
pub(crate) fn json(message: &DynamicMessage) -> Value {
    let options = SerializeOptions::new()
        .skip_default_fields(false)
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false);
    message
        .serialize_with_options(serde_json::value::Serializer, &options)
        .unwrap()
}

/// Messages of a type that is known by its descriptor.
struct Dynamic(MessageDescriptor);

impl Codec for Dynamic {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self(self.0.clone())
    }

    fn decoder(&mut self) -> Self {
        Self(self.0.clone())
    }
}

impl Encoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, item: DynamicMessage, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer)
            .map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        DynamicMessage::decode(self.0.clone(), buffer)
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}
