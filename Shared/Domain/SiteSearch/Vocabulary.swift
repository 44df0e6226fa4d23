/// All words of an index, sorted, as a tree of their beginnings.
///
/// Nodes are in the order of the words, each before those below it. So a search is one pass over an
/// array, and it skips branches that differ too much.
struct Vocabulary: Sendable {
    private struct Node {
        var letter: UInt32
        var depth: Int32
        /// The first node after this one that is not below it.
        var end: Int32
        /// The words that begin with this node's letters are `firstWord..<endWord`.
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

    /// Calls `found` once for each word that is similar enough, with the quality of the match.
    ///
    /// A missing, added, changed or swapped letter counts one. The measure is optimal string
    /// alignment: Damerau's errors, with each letter used once.
    func forEachMatch(of asked: SearchWord, _ found: (_ word: Int, WordMatch) -> Void) {
        let letters = asked.letters
        guard !letters.isEmpty else { return }
        var walk = Walk(letters, edits: asked.forgivenEdits, prefixEdits: asked.forgivenPrefixEdits)
        var index = 0
        while index < nodes.count {
            let node = nodes[index]
            let step = walk.descend(to: node.letter, depth: Int(node.depth))
            if step.isTooFar {
                // All words that begin with a match are matches too.
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

/// The match between a word of the index and a word of the query.
enum WordMatch: Hashable {
    case whole(edits: Int)
    /// The word continues after the match.
    case prefix(edits: Int)

    var isWithoutSlips: Bool {
        switch self {
        case .whole(let edits), .prefix(let edits): edits == 0
        }
    }

    /// Smaller is better: an exact match, a beginning, one error, a beginning with an error, two
    /// errors.
    var grade: Int {
        switch self {
        case .whole(let edits): 2 * edits
        case .prefix(let edits): 2 * edits + 1
        }
    }
}

/// The rows of the table of edit distances along one path down the tree.
private struct Walk {
    /// The result for one node: the bounds for the words below it.
    struct Step {
        /// The match of the word that ends at this node; nil if it differs too much.
        var match: WordMatch?
        /// The edits of the best beginning so far; nil if all differ too much.
        var prefixEdits: Int?
        /// Whether no word below can be a better match.
        var isTooFar: Bool
    }

    private let asked: [UInt32]
    private let edits: Int
    private let prefixEdits: Int
    /// A row for each depth: the edits between the first letters of the query's word and the
    /// letters down to there.
    private var rows: [Int32]
    private var letters: [UInt32]
    /// For each depth, the fewest edits between the whole word of the query and a beginning of the
    /// path.
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

    /// Returns the smallest value of the row and its last value.
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
