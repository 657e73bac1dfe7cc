//! Search for a browser that draws without a window.

use kinegraph_io::view::Browser;

#[test]
fn the_named_one_comes_before_those_on_the_path() {
    let folder = std::env::temp_dir().join(format!("kinegraph-browsers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [chrome, other] = ["google-chrome", "other"].map(|name| folder.join(name));
    [&chrome, &other].into_iter().for_each(|file| std::fs::write(file, "").unwrap());
    let find = |named: &str| Browser::among(Some(named.into()), folder.clone().into());
    assert_eq!(find("").unwrap(), Browser(chrome));
    assert_eq!(find("other").unwrap(), Browser(other.clone()));
    assert_eq!(find(other.to_str().unwrap()).unwrap(), Browser(other));
    assert!(find("nowhere").unwrap_err().to_string().contains("CHROMIUM=nowhere"));
    std::fs::remove_dir_all(folder).unwrap();
}
