//! Text in pictures.

use kinegraph_diagram::graph::escape;

#[test]
fn markup_is_escaped() {
    assert_eq!(escape("a<b> & \"c\" 'd'\u{1}é"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\u{FFFD}é");
}
