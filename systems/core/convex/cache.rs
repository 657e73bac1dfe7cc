//! Cache of a plant for one state, of a type that only the plant knows.

use std::any::Any;
use std::fmt::Debug;

/// A cache for one value of any type. A plant that answers a query stores there what the next query about the same
/// state needs again (poses of joints, neighbours of a contact query). Empty at first; the memory of the value is
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
    /// The value, if it is of type `T`; otherwise a new one, in place of a value of another type of plant.
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

/// A value that can be cached.
trait Cached: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Cached>;
}

impl<T: Any + Clone + Debug + Send + Sync> Cached for T {
    fn copy(&self) -> Box<dyn Cached> {
        Box::new(self.clone())
    }
}
