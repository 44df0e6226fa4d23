/// One series of a process's `/metrics`, with its value.
public struct MetricSample: Hashable, Sendable {
    public var name: String
    public var labels: [String: String]
    public var value: Double

    public init(_ name: String, _ labels: [String: String] = [:], _ value: Double) {
        self.name = name
        self.labels = labels
        self.value = value
    }

    /// The samples of a text as our own processes write it (`MetricsRegistry.exposition`). Lines
    /// that look otherwise are left out.
    ///
    /// - Parameter further: labels that every sample gets, such as the service.
    public static func samples(
        in text: String, adding further: [String: String] = [:]
    ) -> [MetricSample] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.first != UInt8(ascii: "#"), var sample = read(Substring(line)) else {
                return nil
            }
            sample.labels.merge(further) { own, _ in own }
            return sample
        }
    }

    private static func read(_ line: Substring) -> MetricSample? {
        let name = line.prefix { $0 != "{" && $0 != " " }
        var rest = line.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                guard let (label, value) = readLabel(&rest) else { return nil }
                labels[label] = value
            }
            rest = rest.dropFirst()
        }
        let number = rest.drop { $0 == " " }
        let value: Double? =
            switch number {
            case "NaN": .nan
            case "+Inf": .infinity
            case "-Inf": -.infinity
            default: Double(number)
            }
        guard !name.isEmpty, let value else { return nil }
        return MetricSample(String(name), labels, value)
    }

    /// Reads `label="value"` with its escapes, and the comma behind it.
    private static func readLabel(_ rest: inout Substring) -> (String, String)? {
        let label = rest.prefix { $0 != "=" }
        rest = rest.dropFirst(label.count)
        guard rest.hasPrefix("=\"") else { return nil }
        rest = rest.dropFirst(2)
        var value = ""
        while let next = rest.popFirst(), next != "\"" {
            guard next == "\\" else {
                value.append(next)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            value.append(escaped == "n" ? "\n" : escaped)
        }
        if rest.first == "," { rest = rest.dropFirst() }
        guard !label.isEmpty, rest.first != nil else { return nil }
        return (String(label), value)
    }
}
