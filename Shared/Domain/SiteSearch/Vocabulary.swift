/// All words of an index, in order, as a tree of their beginnings.
///
/// Nodes lie in the order of the words, each before those below it, so that a search is one pass
/// over an array that leaps over what is too different already.
struct Vocabulary: Sendable {
    private struct Node {
        var letter: UInt32
        var depth: Int32
        /// The first node that is not below this one.
        var end: Int32
        /// Words that begin so are `firstWord..<endWord`.
        var firstWord: Int32
        var endWord: Int32
        var isWord: Bool
    }

    let words: [SearchWord]
    private let nodes: [Node]

    /// - Parameter words: ascending, each once, none empty.
    init(ascending words: [SearchWord]) {
        self.words = words
        var nodes: [Node] = []
        var path: [Int] = []
        func close(downTo depth: Int, endWord: Int) {
            while path.count > depth {
                let node = path.removeLast()
                nodes[node].end = Int32(nodes.count)
                nodes[node].endWord = Int32(endWord)
            }
        }
        var previous: [UInt32] = []
        for (number, word) in words.enumerated() {
            let letters = word.letters
            let shared = zip(previous, letters).prefix { $0 == $1 }.count
            close(downTo: shared, endWord: number)
            for depth in shared..<letters.count {
                path.append(nodes.count)
                nodes.append(
                    Node(
                        letter: letters[depth], depth: Int32(depth + 1), end: 0,
                        firstWord: Int32(number), endWord: 0, isWord: depth + 1 == letters.count))
            }
            previous = letters
        }
        close(downTo: 0, endWord: words.count)
        self.nodes = nodes
    }

    /// Calls `found` for each word that is near enough to the one asked for, once, with how near.
    ///
    /// Letters that are left out, added, changed or swapped with their neighbour count one each
    /// (optimal string alignment: Damerau's slips, each letter touched once).
    func forEachMatch(of asked: SearchWord, _ found: (_ word: Int, WordMatch) -> Void) {
        let letters = asked.letters
        guard !letters.isEmpty else { return }
        var walk = Walk(letters, edits: asked.forgivenEdits, prefixEdits: asked.forgivenPrefixEdits)
        var index = 0
        while index < nodes.count {
            let node = nodes[index]
            let step = walk.descend(to: node.letter, depth: Int(node.depth))
            if step.isTooFar {
                // What begins with a match is one, however it goes on.
                if let edits = step.prefixEdits {
                    for word in node.firstWord..<node.endWord {
                        found(Int(word), .prefix(edits: edits))
                    }
                }
                index = Int(node.end)
                continue
            }
            if node.isWord, let match = step.match { found(Int(node.firstWord), match) }
            index += 1
        }
    }
}

/// How a word of the index agrees with one that was asked for.
enum WordMatch: Hashable {
    case whole(edits: Int)
    /// The word goes on.
    case prefix(edits: Int)

    var isWithoutSlips: Bool {
        switch self {
        case .whole(let edits), .prefix(let edits): edits == 0
        }
    }

    /// Smaller is better: exact, its beginning, a slip, its beginning with a slip, two slips.
    var grade: Int {
        switch self {
        case .whole(let edits): 2 * edits
        case .prefix(let edits): 2 * edits + 1
        }
    }
}

/// The rows of the table of edit distances along one way down the tree.
private struct Walk {
    /// What is known of the words below a node.
    struct Step {
        /// Of the word that ends here; nil if it is too different.
        var match: WordMatch?
        /// Of the best beginning so far.
        var prefixEdits: Int?
        /// Whether no word below can be nearer than what is known.
        var isTooFar: Bool
    }

    private let asked: [UInt32]
    private let edits: Int
    private let prefixEdits: Int
    /// A row for each depth: edits between the first letters asked for and the letters down to
    /// there.
    private var rows: [Int32]
    private var letters: [UInt32]
    /// For each depth the fewest edits between all that was asked for and a beginning.
    private var fewest: [Int32]
    private var width: Int { asked.count + 1 }

    init(_ asked: [UInt32], edits: Int, prefixEdits: Int) {
        self.asked = asked
        self.edits = edits
        self.prefixEdits = prefixEdits
        let depths = SearchWord.longest + 1
        rows = [Int32](repeating: 0, count: depths * (asked.count + 1))
        for column in 0...asked.count { rows[column] = Int32(column) }
        letters = [UInt32](repeating: 0, count: depths)
        fewest = [Int32](repeating: Int32(asked.count), count: depths)
    }

    mutating func descend(to letter: UInt32, depth: Int) -> Step {
        letters[depth] = letter
        let (least, last) = fillRow(depth)
        let isPrefix = fewest[depth - 1] <= prefixEdits
        fewest[depth] = min(fewest[depth - 1], last)
        let prefix = fewest[depth] <= prefixEdits ? Int(fewest[depth]) : nil
        let whole = last <= edits ? WordMatch.whole(edits: Int(last)) : nil
        let beginning = isPrefix ? WordMatch.prefix(edits: Int(fewest[depth - 1])) : nil
        let match = [whole, beginning].compactMap(\.self).min { $0.grade < $1.grade }
        let bound = max(edits, prefixEdits)
        return Step(match: match, prefixEdits: prefix, isTooFar: least > bound)
    }

    /// The smallest value of the row, and the last one.
    private mutating func fillRow(_ depth: Int) -> (least: Int32, last: Int32) {
        let letter = letters[depth]
        let (before, now) = ((depth - 1) * width, depth * width)
        rows[now] = Int32(depth)
        var least = rows[now]
        for column in 1..<width {
            let change: Int32 = asked[column - 1] == letter ? 0 : 1
            var edits = min(
                rows[before + column] + 1, rows[now + column - 1] + 1,
                rows[before + column - 1] + change)
            if depth > 1, column > 1, asked[column - 1] == letters[depth - 1],
                asked[column - 2] == letter
            {
                edits = min(edits, rows[now - 2 * width + column - 2] + 1)
            }
            rows[now + column] = edits
            least = min(least, edits)
        }
        return (least, rows[now + width - 1])
    }
}
