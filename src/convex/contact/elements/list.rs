//! The elements of a problem, kind by kind: it knows none of the kinds.

use super::element::Element;
use super::plant_elements::PlantElements;
use super::{ElementVisitor, visit};
use std::any::{Any, TypeId};
use std::fmt::Debug;

/// The list of one type.
trait List: Debug + Send + Sync {
    fn items(&self) -> &dyn Any;
    fn items_mut(&mut self) -> &mut dyn Any;
    fn clear(&mut self);
    fn copy(&self) -> Box<dyn List>;
    fn len(&self) -> usize;
    fn name(&self) -> &'static str;
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
    fn name(&self) -> &'static str {
        T::NAME
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
    /// Elements of one type, in the order in which they were added.
    pub fn of<T: Element>(&self) -> &[T] {
        let list = self.lists.iter().find(|(id, _)| *id == TypeId::of::<T>());
        list.and_then(|(_, list)| list.items().downcast_ref::<Vec<T>>()).map_or(&[], Vec::as_slice)
    }

    /// Elements of one type, to be changed.
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

    /// Adds the elements of a plant.
    pub(in crate::contact) fn add_of(&mut self, plant: &PlantElements<'_>) {
        struct Add<'a, 'p>(&'a mut Elements, &'a PlantElements<'p>);
        impl ElementVisitor for Add<'_, '_> {
            fn visit<E: Element>(&mut self) {
                E::of_plant(self.1, &mut |element| self.0.push(element));
            }
        }
        visit(&mut Add(self, plant));
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

    /// Types that have a list, each with its number of elements.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (TypeId, usize)> {
        self.lists.iter().map(|(id, list)| (*id, list.len()))
    }

    /// Name of a kind that has elements and is not on the list of elements: no solver knows it.
    pub fn unlisted(&self) -> Option<&'static str> {
        struct IsListed(TypeId, bool);
        impl ElementVisitor for IsListed {
            fn visit<E: Element>(&mut self) {
                self.1 |= self.0 == TypeId::of::<E>();
            }
        }
        let unlisted = self.lists.iter().find(|(id, list)| {
            let mut seen = IsListed(*id, list.len() == 0);
            visit(&mut seen);
            !seen.1
        });
        unlisted.map(|(_, list)| list.name())
    }

    /// Velocities of elements that keep the motion from being free.
    pub fn velocities_not_free(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        let lists = self.lists.iter().filter(|(_, list)| !list.leaves_motion_free());
        lists.flat_map(|(_, list)| (0..list.len()).map(move |i| list.velocity(i)))
    }

    /// True if no element keeps the motion from being free.
    pub fn leave_motion_free(&self) -> bool {
        self.lists.iter().all(|(_, list)| list.len() == 0 || list.leaves_motion_free())
    }
}
