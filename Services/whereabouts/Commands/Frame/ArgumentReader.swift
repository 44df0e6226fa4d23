/// Splits arguments into options (`--name VALUE` or `--name=VALUE`), flags, and the others in
/// their order.
public struct ArgumentReader: Sendable {
    /// The arguments that are neither an option nor an option's value.
    public private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// - Parameters:
    ///   - options: names, with their dashes, that need a value. A second one is refused, since
    ///     only one would count.
    ///   - lists: the same for options that may be given several times.
    ///   - flags: names, with their dashes, that have no value.
    public init(
        _ arguments: [String], options: Set<String>, lists: Set<String> = [],
        flags: Set<String> = []
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
            if options.contains(name) || lists.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageFault("\(name) needs a value")
                }
                guard lists.contains(name) || values[name] == nil else {
                    throw UsageFault("\(name) is given twice; it has one value")
                }
                values[name, default: []].append(value)
            } else if flags.contains(name), parts.count == 1 {
                self.flags.insert(name)
            } else {
                throw UsageFault("there is no option \(argument)")
            }
        }
    }

    /// All values given for the option, in order.
    public func all(_ option: String) -> [String] { values[option] ?? [] }

    /// The value given for the option; of a list the last one.
    public func last(_ option: String) -> String? { values[option]?.last }

    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The numbers of an option such as `1`, `2-12` or `1,3,5-7`, ascending; empty when the
    /// option was not given.
    public func numbers(_ option: String) throws(UsageFault) -> [Int] {
        guard let text = last(option) else { return [] }
        var numbers: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0],
                let last = ends[ends.count - 1],
                first <= last, last - first < 10_000
            else { throw UsageFault("\(option) needs numbers such as 1 or 2-12, not \(text)") }
            numbers.formUnion(first...last)
        }
        return numbers.sorted()
    }

    /// The option's value, a whole number from 0; nil when the option was not given.
    public func unsigned(_ option: String) throws(UsageFault) -> UInt64? {
        guard let text = last(option) else { return nil }
        guard let number = UInt64(text) else {
            throw UsageFault("\(option) needs a whole number, not \(text)")
        }
        return number
    }

    /// The option's value, a number within the range; nil when the option was not given.
    public func number(
        _ option: String, in range: ClosedRange<Double>
    ) throws(UsageFault) -> Double? {
        guard let text = last(option) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw UsageFault(
                "\(option) needs a number between \(range.lowerBound) and \(range.upperBound), "
                    + "not \(text)")
        }
        return number
    }
}
