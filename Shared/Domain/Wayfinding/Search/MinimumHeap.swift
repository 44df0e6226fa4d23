/// A binary heap whose first element is the least (Williams 1964).
struct MinimumHeap<Element: Comparable> {
    private var elements: [Element] = []

    mutating func push(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, elements[place] < elements[(place - 1) / 2] {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func popLeast() -> Element? {
        guard let least = elements.first else { return nil }
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        var place = 0
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < elements.count && elements[child] < elements[smallest] {
                smallest = child
            }
            guard smallest != place else { return least }
            elements.swapAt(place, smallest)
            place = smallest
        }
    }
}
