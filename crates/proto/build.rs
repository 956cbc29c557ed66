//! Compiles `proto/pawl/v1` without `protoc`.

use std::{env, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("pawl/v1"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "proto")
    });
    files.sort();

    let descriptors = protox::compile(&files, [&root])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(
        out.join("descriptors.bin"),
        prost::Message::encode_to_vec(&descriptors),
    )?;
    // Names, so that a message finds its own descriptor.
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    // Ordered maps: the same message has the same bytes wherever it is encoded.
    tonic_prost_build::configure()
        .btree_map(".")
        .compile_fds_with_config(descriptors, config)?;
    Ok(())
}
