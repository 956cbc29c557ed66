//! Small PDF files, written for the tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A file being written: its objects, numbered from 1, of which the first is the catalog.
#[derive(Clone, Default)]
pub(super) struct File {
    objects: Vec<Vec<u8>>,
    trailer: String,
}

impl File {
    pub(super) fn add(&mut self, object: impl Into<Vec<u8>>) -> usize {
        self.objects.push(object.into());
        self.objects.len()
    }

    pub(super) fn set(&mut self, number: usize, object: &str) {
        self.objects[number - 1] = object.into();
    }

    pub(super) fn stream(&mut self, entries: &str, bytes: &[u8]) -> usize {
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", bytes.len()).into_bytes();
        object.extend_from_slice(bytes);
        object.extend_from_slice(b"\nendstream");
        self.add(object)
    }

    pub(super) fn trailer(&mut self, entry: &str) {
        self.trailer.push_str(entry);
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.objects.len() + 1);
        for (number, object) in (1..).zip(&self.objects) {
            table.push_str(&format!("{:010} 00000 n \n", bytes.len()));
            bytes.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let start = bytes.len();
        let size = self.objects.len() + 1;
        let end = format!(
            "{table}trailer\n<< /Size {size} /Root 1 0 R {} >>\nstartxref\n{start}\n%%EOF\n",
            self.trailer
        );
        bytes.extend_from_slice(end.as_bytes());
        bytes
    }
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const CATALOG: &str = "<< /Type /Catalog /Pages 2 0 R >>";

/// A file whose pages have these operators, with Helvetica as `F1`; packed or not.
pub(super) fn with_pages(pages: &[&str], is_packed: bool) -> File {
    let mut file = File::default();
    file.add(CATALOG);
    file.add("");
    let font = file
        .add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
    let mut kids = String::new();
    for operators in pages {
        let content = if is_packed {
            file.stream("/Filter /FlateDecode", &deflated(operators.as_bytes()))
        } else {
            file.stream("", operators.as_bytes())
        };
        let page = file.add(page(content, font));
        kids.push_str(&format!("{page} 0 R "));
    }
    file.set(
        2,
        &format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()),
    );
    file
}

/// A page with Chinese text: codes of two bytes, which a table leads to letters.
pub(super) fn chinese(lines: &[&str]) -> File {
    let mut letters: Vec<char> = lines.concat().chars().collect();
    letters.sort_unstable();
    letters.dedup();
    let mut file = File::default();
    file.add(CATALOG);
    file.add("<< /Type /Pages /Kids [7 0 R] /Count 1 >>");
    let mut table = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def\n\
         1 begincodespacerange <0000> <FFFF> endcodespacerange\n",
    );
    table.push_str(&format!("{} beginbfchar\n", letters.len()));
    for (code, letter) in (1..).zip(&letters) {
        table.push_str(&format!("<{code:04X}> <{:04X}>\n", u32::from(*letter)));
    }
    table.push_str("endbfchar endcmap end end\n");
    let table = file.stream("/Filter /FlateDecode", &deflated(table.as_bytes()));
    let inner = file.add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Song /DW 1000 /CIDToGIDMap /Identity \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
    );
    let font = file.add(format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H \
         /DescendantFonts [{inner} 0 R] /ToUnicode {table} 0 R >>"
    ));
    let mut operators = String::from("BT /F1 12 Tf 72 700 Td 14 TL\n");
    for line in lines {
        let codes: String = line
            .chars()
            .map(|letter| {
                format!(
                    "{:04X}",
                    letters.iter().position(|it| *it == letter).unwrap() + 1
                )
            })
            .collect();
        operators.push_str(&format!("<{codes}> Tj T*\n"));
    }
    operators.push_str("ET");
    let content = file.stream("/Filter /FlateDecode", &deflated(operators.as_bytes()));
    file.add(page(content, font));
    file
}

fn page(content: usize, font: usize) -> String {
    format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R \
         /Resources << /Font << /F1 {font} 0 R >> >> >>"
    )
}
