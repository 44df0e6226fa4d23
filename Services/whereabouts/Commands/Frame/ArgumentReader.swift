/// Takes arguments apart: `--name VALUE` or `--name=VALUE`, flags, and the rest in order.
public struct ArgumentReader: Sendable {
    /// What is neither an option nor an option's value.
    public private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// - Parameters:
    ///   - options: names with dashes that take a value.
    ///   - flags: names with dashes that take none.
    public init(
        _ arguments: [String], options: Set<String>, flags: Set<String> = []
    ) throws(UsageFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument.count > 2 else {
                positional.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if options.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageFault("\(name) needs a value")
                }
                values[name, default: []].append(value)
            } else if flags.contains(name), parts.count == 1 {
                self.flags.insert(name)
            } else {
                throw UsageFault("\(argument) is not known")
            }
        }
    }

    /// All values given for the option, in order.
    public func all(_ option: String) -> [String] { values[option] ?? [] }

    /// The last value given for the option.
    public func last(_ option: String) -> String? { values[option]?.last }

    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// Such as `1`, `2-12` or `1,3,5-7`, ascending; empty when it was not given.
    public func numbers(_ option: String) throws(UsageFault) -> [Int] {
        guard let text = last(option) else { return [] }
        var numbers: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0],
                let last = ends[ends.count - 1],
                first <= last, last - first < 10_000
            else { throw UsageFault("\(option) takes numbers such as 1 or 2-12, not \(text)") }
            numbers.formUnion(first...last)
        }
        return numbers.sorted()
    }

    /// A whole number from 0; nil when it was not given.
    public func unsigned(_ option: String) throws(UsageFault) -> UInt64? {
        guard let text = last(option) else { return nil }
        guard let number = UInt64(text) else {
            throw UsageFault("\(option) takes a whole number, not \(text)")
        }
        return number
    }

    /// A number within the range; nil when it was not given.
    public func number(
        _ option: String, in range: ClosedRange<Double>
    ) throws(UsageFault) -> Double? {
        guard let text = last(option) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw UsageFault(
                "\(option) is between \(range.lowerBound) and \(range.upperBound), not \(text)")
        }
        return number
    }
}
