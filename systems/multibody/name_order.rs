//! Indices of a list in the order of names, so that a name is found by bisection.

/// Indices of elements, in the order of their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameOrder(Vec<usize>);

impl NameOrder {
    /// The order of `count` elements with these names.
    pub fn of<'a>(count: usize, name: impl Fn(usize) -> &'a str) -> Self {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&i| name(i));
        NameOrder(order)
    }

    /// Index of the first element with this name.
    pub fn find<'a>(&self, wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
        let place = self.0.partition_point(|&i| name(i) < wanted);
        self.0.get(place).copied().filter(|&i| name(i) == wanted)
    }
}
