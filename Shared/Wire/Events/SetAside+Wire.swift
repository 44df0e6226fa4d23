public import EventLog

extension SetAside {
    /// Sets aside a record that can't be read.
    public init(_ record: StoredRecord, _ fault: WireFault) {
        self.init(record, code: fault.code.text, detail: fault.detail)
    }
}
