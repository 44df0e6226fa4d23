/// Groups a number of items into disjoint sets (Tarjan 1975: union by size, halved paths).
public struct DisjointSets {
    private var parent: [Int]
    private var size: [Int]

    public init(count: Int) {
        parent = Array(0..<count)
        size = Array(repeating: 1, count: count)
    }

    public mutating func root(_ item: Int) -> Int {
        var item = item
        while parent[item] != item {
            parent[item] = parent[parent[item]]
            item = parent[item]
        }
        return item
    }

    public mutating func join(_ one: Int, _ other: Int) {
        var (large, small) = (root(one), root(other))
        guard large != small else { return }
        if size[large] < size[small] { swap(&large, &small) }
        parent[small] = large
        size[large] += size[small]
    }

    /// The number of items in the set of this item.
    public mutating func size(with item: Int) -> Int { size[root(item)] }
}
