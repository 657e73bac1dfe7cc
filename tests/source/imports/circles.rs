//! Circles of a directed graph: its strongly connected components of more than one vertex (Tarjan 1972).

/// The circles, each sorted; `next[i]` are the successors of vertex i.
pub fn circles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        next,
        index: vec![None; next.len()],
        low: vec![0; next.len()],
        on_stack: vec![false; next.len()],
        stack: Vec::new(),
        found: Vec::new(),
        count: 0,
    };
    for vertex in 0..next.len() {
        if search.index[vertex].is_none() {
            search.visit(vertex);
        }
    }
    search.found.sort();
    search.found
}

struct Search<'g> {
    next: &'g [Vec<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    found: Vec<Vec<usize>>,
    count: usize,
}

impl Search<'_> {
    fn visit(&mut self, vertex: usize) {
        let own = self.count;
        self.index[vertex] = Some(own);
        self.low[vertex] = own;
        self.count += 1;
        self.stack.push(vertex);
        self.on_stack[vertex] = true;
        for &next in &self.next[vertex] {
            match self.index[next] {
                None => {
                    self.visit(next);
                    self.low[vertex] = self.low[vertex].min(self.low[next]);
                }
                Some(index) if self.on_stack[next] => self.low[vertex] = self.low[vertex].min(index),
                Some(_) => {}
            }
        }
        if self.low[vertex] == own {
            let start = self.stack.iter().rposition(|&v| v == vertex).unwrap();
            let mut component = self.stack.split_off(start);
            component.iter().for_each(|&v| self.on_stack[v] = false);
            if component.len() > 1 {
                component.sort_unstable();
                self.found.push(component);
            }
        }
    }
}

#[test]
fn components_are_found() {
    let next = [vec![1], vec![2], vec![0, 3], vec![4], vec![5, 3], vec![5], vec![0]];
    assert_eq!(circles(&next), [vec![0, 1, 2], vec![3, 4]]);
}
