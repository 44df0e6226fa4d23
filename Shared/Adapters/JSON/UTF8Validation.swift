/// The position of the first byte that is not part of valid UTF-8. Nil when all are valid.
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
