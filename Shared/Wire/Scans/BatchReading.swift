internal import JSON

/// Reads a body of scans or sightings: one object, an array, or an object on each line.
struct BatchReading<Element> {
    /// The most elements of a body.
    let maximumCount: Int
    /// The word for one element, for faults.
    let element: String
    let read: (JSONValue) throws(WireFault) -> Element

    /// - Returns: one outcome for each object, in order.
    /// - Throws: `body-empty`, `not-json`, `not-utf8`, `too-deep`, `truncated`,
    ///   `number-out-of-range`, `not-an-object` or `batch-too-large`, when nothing in the body can
    ///   be used.
    func read(
        _ body: UnsafeRawBufferPointer, as format: SubmissionDecoder.Format
    ) throws(WireFault) -> [Result<Element, RejectedScan>] {
        if format == .lines || (format == .detected && NDJSONLines.beginsWithTwoObjects(body)) {
            return try readLines(body)
        }
        do throws(WireFault) {
            return try withJSON(body) { (root) throws(WireFault) in try elements(root) }
        } catch {
            // The first line may be the only broken one of a body in lines.
            guard format == .detected, NDJSONLines.areLinesOfObjects(body) else { throw error }
            return try readLines(body)
        }
    }

    private func elements(
        _ root: JSONValue
    ) throws(WireFault) -> [Result<Element, RejectedScan>] {
        guard let array = root.array else {
            guard root.object != nil else {
                throw WireFault(
                    .notAnObject, "a \(element), or an array of \(element)s, is expected")
            }
            return [outcome(index: 0) { () throws(WireFault) in try read(root) }]
        }
        guard array.count > 0 else { throw WireFault(.bodyEmpty, "the array is empty") }
        guard array.count <= maximumCount else { throw tooLarge }
        var outcomes: [Result<Element, RejectedScan>] = []
        outcomes.reserveCapacity(array.count)
        for value in array {
            outcomes.append(
                outcome(index: outcomes.count) { () throws(WireFault) in try read(value) })
        }
        return outcomes
    }

    private func readLines(
        _ body: UnsafeRawBufferPointer
    ) throws(WireFault) -> [Result<Element, RejectedScan>] {
        var outcomes: [Result<Element, RejectedScan>] = []
        for line in NDJSONLines(body) {
            guard outcomes.count < maximumCount else { throw tooLarge }
            outcomes.append(
                outcome(index: outcomes.count) { () throws(WireFault) in
                    try withJSON(line) { (root) throws(WireFault) in try read(root) }
                })
        }
        guard !outcomes.isEmpty else { throw WireFault(JSONFault(.empty)) }
        return outcomes
    }

    private func outcome(
        index: Int, _ read: () throws(WireFault) -> Element
    ) -> Result<Element, RejectedScan> {
        do throws(WireFault) {
            return .success(try read())
        } catch {
            return .failure(RejectedScan(index: index, fault: error))
        }
    }

    private var tooLarge: WireFault {
        WireFault(.batchTooLarge, "send at most \(maximumCount) \(element)s at once")
    }
}
