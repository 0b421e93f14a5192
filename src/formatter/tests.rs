use super::*;

fn formatted(text: &str) -> String {
    let (source, faults) = Source::decode("policy.co", text.as_bytes());
    let formatted = format(&source, &faults).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let (again, faults) = Source::decode("policy.co", formatted.as_bytes());
    assert_eq!(format(&again, &faults).unwrap(), formatted, "of {text}");
    formatted
}

#[test]
fn zz_all_fixtures() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut pending = vec![root];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "co") {
                let bytes = std::fs::read(&path).unwrap();
                let (source, faults) = Source::decode("p.co", &bytes);
                if read(&source, &faults).is_ok() {
                    let out = formatted(source.text());
                    if out != source.text() {
                        let new = std::env::temp_dir()
                            .join("fmt_out")
                            .join(path.file_name().unwrap());
                        std::fs::create_dir_all(new.parent().unwrap()).unwrap();
                        std::fs::write(&new, out).unwrap();
                        println!("diff {} {}", path.display(), new.display());
                    }
                }
            }
        }
    }
}
