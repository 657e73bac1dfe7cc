//! Tests of `src/files/synonyms.rs`.

use kinegraph_files::Catalog;
use kinegraph_files::synonyms::{SYNONYMS, block_type_of};
use std::collections::HashSet;

#[test]
fn every_word_leads_to_a_type_and_is_none_itself() {
    let catalog = Catalog::standard();
    let mut known = HashSet::new();
    for (words, block) in SYNONYMS {
        assert!(catalog.get(block).is_some(), "{block}");
        for word in words.split(' ') {
            assert!(catalog.get(word).is_none() && known.insert(word), "{word}");
        }
    }
    assert_eq!(block_type_of("PD-Controller"), Some("pid"));
    assert_eq!(block_type_of("nothing of the kind"), None);
}
