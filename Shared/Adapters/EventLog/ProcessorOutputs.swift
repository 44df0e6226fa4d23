/// What a processor's work makes of a batch of one partition: records to append, each with the
/// input that it comes from, so that a dead letter can take the place of one input's outputs.
public struct ProcessorOutputs: Sendable {
    /// Stands for what comes of no input alone, such as the state.
    private static let none: Int64 = -1

    /// All that was made, in order.
    public private(set) var records: [LogRecord] = []
    /// The offset of the input of each.
    private var inputs: [Int64] = []
    public private(set) var setAside: [SetAside] = []

    public init() {}

    public mutating func append(_ record: LogRecord, for input: StoredRecord?) {
        records.append(record)
        inputs.append(input?.offset ?? Self.none)
    }

    /// Nothing comes of the input but a dead letter.
    ///
    /// - Parameter isOfSender: whether it is a judgement of who sent it.
    public mutating func setAside(
        _ input: StoredRecord, code: String, detail: String, isOfSender: Bool = false
    ) {
        setAside.append(SetAside(input, code: code, detail: detail, isOfSender: isOfSender))
    }

    /// Sets every input aside of which something comes that the log will not take.
    mutating func setAsideWhatIsTooLarge(
        _ batch: [StoredRecord], _ letters: DeadLetters
    ) throws(ConsumerStopped) {
        var tooLarge: [Int64: String] = [:]
        for (record, input) in zip(records, inputs) {
            guard let violation = letters.violation(record) else { continue }
            guard input != Self.none else { throw ConsumerStopped("The state: \(violation)") }
            tooLarge[input] = violation
        }
        guard !tooLarge.isEmpty else { return }
        let kept = zip(records, inputs).filter { tooLarge[$0.1] == nil }
        (records, inputs) = (kept.map(\.0), kept.map(\.1))
        for record in batch {
            guard let violation = tooLarge[record.offset] else { continue }
            setAside(record, code: "output-too-large", detail: violation)
        }
    }
}
