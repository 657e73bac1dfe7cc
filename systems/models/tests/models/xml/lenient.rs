//! Tests of `systems/models/xml/lenient.rs`.

use kinegraph_models::xml::lenient::mended;
use std::borrow::Cow;

#[test]
fn unambiguous_xml_errors_are_corrected() {
    for (text, expected) in [
        ("<a><!-- x -- y\n-- --></a>", "<a><!--       \n   --></a>"),
        ("<a b=\"1\"c='2'd=\"3\"/>", "<a b=\"1\" c='2' d=\"3\"/>"),
        ("\n<?xml version=\"1.0\"?><a/>", "\n                     <a/>"),
        ("<a/>\n\0\0", "<a/>\n  "),
    ] {
        assert_eq!(mended(text), expected);
        assert!(roxmltree::Document::parse(&mended(text)).is_ok(), "{text}");
    }
}

#[test]
fn well_formed_text_stays_as_it_is() {
    for text in [
        "<?xml version=\"1.0\"?>\n<a b=\"1>2\"><!-- x - y --><![CDATA[ <!-- -- --> ]]></a>",
        "<a b='c\"d\"e'>text > text</a>",
        "<a><b/>\u{e9}</a>",
        "<a b=\"1",
        "<!-- never closed",
        "",
    ] {
        assert!(matches!(mended(text), Cow::Borrowed(_)), "{text}");
    }
}
