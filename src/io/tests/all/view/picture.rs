//! Pictures of a run.

use kinegraph_io::view::{PagePicture, PageView};

#[test]
fn the_address_of_a_picture_has_its_settings() {
    let picture = PagePicture { at: Some(1.5), ..PagePicture::new(PageView::Scene, (640, 400)) };
    assert_eq!(picture.wish(), "picture=scene&size=640x400&t=1.5");
    let picture = PagePicture { contacts: false, ..PagePicture::new(PageView::Diagram, (640, 400)) };
    assert_eq!(picture.wish(), "picture=diagram&size=640x400&contacts=off");
    let (eye, follow) = (Some([1.0, -2.5, 3.0]), Some("arm/link 1&t=0".to_owned()));
    let picture = PagePicture { transparent: true, eye, follow, ..PagePicture::new(PageView::Scene, (64, 48)) };
    let wish = "picture=scene&size=64x48&transparent=on&eye=1,-2.5,3&follow=arm/link%201%26t%3D0";
    assert_eq!(picture.wish(), wish);
}
