/// The words of a text, for a name that is searched or for a query.
///
/// Spaces separate chunks; within a chunk punctuation separates pieces. In a chunk with a digit,
/// pieces also end between letters and digits: `(S)6.01` is s, 6 and 01.
struct SearchText {
    /// Consecutive letters, once plain and once with umlauts written out.
    private struct Piece {
        var plain: [UInt32] = []
        var writtenOut: [UInt32] = []
    }

    /// The text between two spaces.
    private struct Chunk {
        var pieces: [Piece] = []
        /// Whether its pieces are separated by apostrophes only.
        var isOneWord = true
        var hasDigit: Bool { pieces.contains { $0.plain.contains(where: isDigit) } }
    }

    /// The most pieces of a chunk that count.
    private static let mostPieces = 8

    private let chunks: [Chunk]

    init(_ text: String) { chunks = Self.chunks(of: text) }

    /// The number of words as a person counts them. The parts of a number count each: whoever asks
    /// for 2.06 means that room, rather than 12.2.06 of another building.
    var wordCount: Int { chunks.reduce(0) { $0 + ($1.hasDigit ? $1.pieces.count : 1) } }

    /// The words by which a name is found. `(S)6.01` also gives s601, 601 and 01, and `Room 6`
    /// gives room6.
    var nameWords: Set<SearchWord> {
        var words: Set<SearchWord> = []
        func add(_ pieces: some Collection<Piece>) {
            words.insert(SearchWord(pieces.flatMap(\.plain)))
            words.insert(SearchWord(pieces.flatMap(\.writtenOut)))
        }
        var previous: Chunk?
        for chunk in chunks {
            if chunk.hasDigit {
                for start in chunk.pieces.indices { add(chunk.pieces[start...]) }
                if let previous { add(previous.pieces + chunk.pieces) }
            } else {
                for piece in chunk.pieces { add(CollectionOfOne(piece)) }
                add(chunk.pieces)
            }
            previous = chunk
        }
        return words
    }

    /// The words of a query in order, each once. Each has several spellings, any of which may
    /// match.
    var questionWords: [[SearchWord]] {
        var words: [[SearchWord]] = []
        for chunk in chunks {
            let parts =
                chunk.hasDigit || chunk.isOneWord ? [chunk.pieces] : chunk.pieces.map { [$0] }
            for part in parts {
                let plain = SearchWord(part.flatMap(\.plain))
                let writtenOut = SearchWord(part.flatMap(\.writtenOut))
                let ways = plain == writtenOut ? [plain] : [plain, writtenOut]
                if !words.contains(ways) { words.append(ways) }
            }
        }
        return words
    }

    private static func chunks(of text: String) -> [Chunk] {
        var chunks: [Chunk] = []
        for part in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            let hasDigit = part.contains { $0.properties.generalCategory == .decimalNumber }
            let chunk = chunk(of: part, dividesNumbers: hasDigit)
            if !chunk.pieces.isEmpty { chunks.append(chunk) }
        }
        return chunks
    }

    private static func chunk(
        of scalars: String.UnicodeScalarView.SubSequence, dividesNumbers: Bool
    ) -> Chunk {
        var chunk = Chunk()
        var piece = Piece()
        func endPiece() {
            if !piece.plain.isEmpty, chunk.pieces.count < mostPieces { chunk.pieces.append(piece) }
            piece = Piece()
        }
        for scalar in scalars {
            guard let plain = LetterFolding.plain(scalar) else {
                if !isApostrophe(scalar), !piece.plain.isEmpty || !chunk.pieces.isEmpty {
                    chunk.isOneWord = false
                }
                endPiece()
                continue
            }
            if dividesNumbers, let last = piece.plain.last, let first = plain.first,
                isDigit(last) != isDigit(first)
            {
                endPiece()
            }
            let mark =
                plain.isEmpty
                ? LetterFolding.writtenOut(mark: scalar, after: piece.plain.last) : nil
            piece.plain += plain
            piece.writtenOut += mark ?? LetterFolding.writtenOut(scalar) ?? plain
            // In scripts without spaces each character is a word.
            if isWordOfItsOwn(scalar) {
                chunk.isOneWord = false
                endPiece()
            }
        }
        endPiece()
        return chunk
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "’" || scalar == "ʼ" || scalar == "`"
    }

    /// Chinese characters and the Japanese kana.
    private static func isWordOfItsOwn(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || (0x3041...0x30FF).contains(scalar.value)
    }
}
