//! What a plant keeps of a state between the questions about it, behind a type that only the plant knows.

use std::any::Any;
use std::fmt::Debug;

/// A place for one value of any type: the plant that answers a question puts there what the next one about the same
/// state needs again (poses of joints, neighbours of a contact query). Empty at first; memory that the value holds is
/// reused.
///
/// ```
/// use kinegraph_systems::convex::PlantCache;
///
/// let mut cache = PlantCache::default();
/// cache.of::<Vec<f64>>().push(1.5);
/// let copy = cache.clone();
/// cache.of::<Vec<f64>>().clear();
/// assert_eq!(copy.clone().of::<Vec<f64>>(), &[1.5]);
/// ```
#[derive(Debug, Default)]
pub struct PlantCache(Option<Box<dyn Cached>>);

impl PlantCache {
    /// The value, if it is of type `T`; a new one otherwise, in the place of what another type of plant left.
    pub fn of<T: Any + Clone + Debug + Default + Send + Sync>(&mut self) -> &mut T {
        let place = self.0.get_or_insert_with(|| Box::<T>::default());
        if !(&**place as &dyn Any).is::<T>() {
            *place = Box::<T>::default();
        }
        (&mut **place as &mut dyn Any).downcast_mut().expect("a value of another type was replaced")
    }

    /// The value, if there is one and it is of type `T`.
    pub fn get<T: Any>(&self) -> Option<&T> {
        (&**self.0.as_ref()? as &dyn Any).downcast_ref()
    }
}

impl Clone for PlantCache {
    fn clone(&self) -> Self {
        PlantCache(self.0.as_deref().map(Cached::copy))
    }
}

/// What can be in a cache.
trait Cached: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Cached>;
}

impl<T: Any + Clone + Debug + Send + Sync> Cached for T {
    fn copy(&self) -> Box<dyn Cached> {
        Box::new(self.clone())
    }
}
