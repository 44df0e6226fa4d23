/// Where the first byte lies that belongs to no well-formed UTF-8 sequence; nil when all do.
func firstByteThatIsNotUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var position = 0
    while true {
        switch parser.parseScalar(from: &iterator) {
        case .valid(let scalar): position += scalar.count
        case .error: return position
        case .emptyInput: return nil
        }
    }
}
