//! What acts on single velocities besides contact: joint stops, limited efforts, dry friction, …
//!
//! A problem keeps a list for every type of data and knows none of the types: a new kind is its type, and a law in each
//! solver that has one. Nothing here couples velocities, so that elements never join islands.

use std::any::{Any, TypeId};
use std::fmt::Debug;

/// Data of one kind of thing that acts on a single velocity. No law: that is the solver's.
pub trait Element: Any + Clone + Debug + Send + Sync {
    /// Whether motion can be followed without a contact problem while such a thing is there: it is looked after
    /// otherwise.
    const LEAVES_MOTION_FREE: bool = false;

    /// The velocity it acts on.
    fn velocity(&self) -> usize;
}

/// The list of one type.
trait List: Debug + Send + Sync {
    fn items(&self) -> &dyn Any;
    fn items_mut(&mut self) -> &mut dyn Any;
    fn clear(&mut self);
    fn copy(&self) -> Box<dyn List>;
    fn len(&self) -> usize;
    fn leaves_motion_free(&self) -> bool;
    fn velocity(&self, i: usize) -> usize;
}

impl<T: Element> List for Vec<T> {
    fn items(&self) -> &dyn Any {
        self
    }
    fn items_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn clear(&mut self) {
        Vec::clear(self);
    }
    fn copy(&self) -> Box<dyn List> {
        Box::new(self.clone())
    }
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn leaves_motion_free(&self) -> bool {
        T::LEAVES_MOTION_FREE
    }
    fn velocity(&self, i: usize) -> usize {
        self[i].velocity()
    }
}

/// The elements of a problem, a list for every type that was ever added. Keeps its memory.
#[derive(Debug, Default)]
pub struct Elements {
    lists: Vec<(TypeId, Box<dyn List>)>,
}

impl Clone for Elements {
    fn clone(&self) -> Self {
        Elements { lists: self.lists.iter().map(|(id, list)| (*id, list.copy())).collect() }
    }
}

impl Elements {
    /// The elements of one type, in the order in which they were added.
    pub fn of<T: Element>(&self) -> &[T] {
        let list = self.lists.iter().find(|(id, _)| *id == TypeId::of::<T>());
        list.and_then(|(_, list)| list.items().downcast_ref::<Vec<T>>()).map_or(&[], Vec::as_slice)
    }

    /// The same, to be changed.
    pub fn of_mut<T: Element>(&mut self) -> &mut [T] {
        let list = self.lists.iter_mut().find(|(id, _)| *id == TypeId::of::<T>());
        list.and_then(|(_, list)| list.items_mut().downcast_mut::<Vec<T>>()).map_or(&mut [], Vec::as_mut_slice)
    }

    /// Adds an element.
    pub fn push<T: Element>(&mut self, element: T) {
        let id = TypeId::of::<T>();
        let at = self.lists.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.lists.push((id, Box::new(Vec::<T>::new())));
            self.lists.len() - 1
        });
        if let Some(list) = self.lists[at].1.items_mut().downcast_mut::<Vec<T>>() {
            list.push(element);
        }
    }

    /// Removes the elements of one type.
    pub fn remove<T: Element>(&mut self) {
        if let Some((_, list)) = self.lists.iter_mut().find(|(id, _)| *id == TypeId::of::<T>()) {
            list.clear();
        }
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.lists.iter_mut().for_each(|(_, list)| list.clear());
    }

    /// The types that there are lists of, each with its number of elements.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (TypeId, usize)> {
        self.lists.iter().map(|(id, list)| (*id, list.len()))
    }

    /// The velocities of elements that keep the motion from being free.
    pub fn velocities_not_free(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        let lists = self.lists.iter().filter(|(_, list)| !list.leaves_motion_free());
        lists.flat_map(|(_, list)| (0..list.len()).map(move |i| list.velocity(i)))
    }

    /// Whether none of the elements keeps the motion from being free.
    pub fn leave_motion_free(&self) -> bool {
        self.lists.iter().all(|(_, list)| list.len() == 0 || list.leaves_motion_free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct One(usize);
    #[derive(Clone, Debug, PartialEq)]
    struct Other(usize);

    impl Element for One {
        fn velocity(&self) -> usize {
            self.0
        }
    }
    impl Element for Other {
        const LEAVES_MOTION_FREE: bool = true;
        fn velocity(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn every_type_has_a_list_of_its_own() {
        let mut elements = Elements::default();
        elements.push(Other(3));
        assert!(elements.leave_motion_free());
        elements.push(One(1));
        elements.push(One(2));
        elements.of_mut::<One>()[1].0 = 5;
        let copy = elements.clone();
        assert_eq!((copy.of::<One>(), copy.of::<Other>()), (&[One(1), One(5)][..], &[Other(3)][..]));
        assert!(!elements.leave_motion_free());
        assert!(elements.velocities_not_free().eq([1, 5]));
        elements.remove::<One>();
        assert_eq!((elements.of::<One>(), elements.of::<Other>()), (&[][..], &[Other(3)][..]));
        elements.clear();
        assert!(elements.of::<Other>().is_empty() && copy.of::<Other>().len() == 1);
    }
}
