extension MetricsRegistry {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics in Prometheus' text format 0.0.4.
    public var exposition: String {
        var text = ""
        for family in snapshot {
            text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.type)\n"
            for series in family.series { Self.append(series, of: family.name, to: &text) }
        }
        return text
    }

    private static func append(_ series: Series, of name: String, to text: inout String) {
        switch series.instrument {
        case .counter(let counter):
            text += "\(name)\(labels(series.labels)) \(counter.current)\n"
        case .gauge(let gauge):
            text += "\(name)\(labels(series.labels)) \(number(gauge.current))\n"
        case .reading(let read):
            text += "\(name)\(labels(series.labels)) \(number(read()))\n"
        case .histogram(let histogram):
            var total = 0
            let bounds = histogram.bounds.map(number) + ["+Inf"]
            for (bound, count) in zip(bounds, histogram.bucketCounts) {
                total += count
                let all = series.labels + [MetricLabel(name: "le", value: bound)]
                text += "\(name)_bucket\(labels(all)) \(total)\n"
            }
            text += "\(name)_sum\(labels(series.labels)) \(number(histogram.sum))\n"
            text += "\(name)_count\(labels(series.labels)) \(total)\n"
        }
    }

    private static func labels(_ labels: [MetricLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if let whole = Int(exactly: value), abs(whole) < 1 << 53 { return "\(whole)" }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
