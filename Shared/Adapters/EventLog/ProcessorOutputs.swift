/// The records that a processor wants to append for a batch of one partition. Each output knows the
/// input that it comes from. So a dead letter can replace all outputs of one input.
public struct ProcessorOutputs: Sendable {
    /// Marks outputs that come from no single input, such as the state.
    private static let none: Int64 = -1

    /// All outputs, in order.
    public private(set) var records: [LogRecord] = []
    /// For each output, the offset of its input.
    private var inputs: [Int64] = []
    public private(set) var setAside: [SetAside] = []

    public init() {}

    public mutating func append(_ record: LogRecord, for input: StoredRecord?) {
        records.append(record)
        inputs.append(input?.offset ?? Self.none)
    }

    /// Sets the input aside: a dead letter is its only output.
    ///
    /// - Parameters:
    ///   - isOfSender: whether the fault lies with the sender, such as an exceeded quota.
    ///   - screened: the record without personal data, where that differs from the input.
    public mutating func setAside(
        _ input: StoredRecord, code: String, detail: String, isOfSender: Bool = false,
        screened: ScreenedRecord? = nil
    ) {
        setAside.append(
            SetAside(
                input, code: code, detail: detail, isOfSender: isOfSender, screened: screened))
    }

    /// Sets aside every input with an output that is too large for the log.
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
