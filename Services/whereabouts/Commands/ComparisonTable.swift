import Foundation
import JSON

/// The comparison of a site's positioners as lines for people. The last one says what to do.
struct ComparisonTable: Sendable {
    private(set) var lines: [String] = []

    /// - Parameter root: the answer of `GET /v1/sites/{site}/positioner/comparison`.
    init(_ root: JSONValue) {
        let answer = root.object
        let detail = answer?["detail"]?.string ?? ""
        guard let comparison = answer?["comparison"]?.object else {
            lines = ["there are no figures yet. \(detail)"]
            return
        }
        let isReady = answer?["state"]?.string == "ready"
        if !isReady {
            let (map, revision) = (comparison["radioMapVersion"], comparison["revision"])
            lines.append(
                "these are figures of radio map \(map?.int ?? 0) and selection "
                    + "\(revision?.int ?? 0). \(detail)")
        }
        let served = comparison["served"]?.string ?? ""
        let bySurveys = Part(comparison["bySurveys"])
        let byTaps = Part(comparison["byTaps"])
        if let bySurveys {
            lines.append(
                "by surveys: \(bySurveys.scans) scans at \(bySurveys.places) places, located "
                    + "without the surveys of their places")
            lines += bySurveys.table(served: served)
        } else {
            lines.append(
                "by surveys: none can be left out, since the radio map is too small, or beacons "
                    + "locate its floors")
        }
        if let byTaps {
            lines.append(
                "by taps: \(byTaps.scans) scans at \(byTaps.places) places, of \(byTaps.authors) "
                    + "people or devices. Nobody has checked them")
            lines += byTaps.table(served: served)
        } else {
            lines.append("by taps: there are none")
        }
        if (bySurveys?.rows ?? []).contains(where: \.remembers) {
            lines.append("* uses scans in sequence. Here each scan is the first of its device")
        }
        let following = (bySurveys?.rows ?? []).filter(\.followsChoice).map(\.name)
        if !following.isEmpty {
            lines.append(
                "\(Self.list(following)): led by a choice that was made with these surveys, which "
                    + "favours it here")
        }
        guard isReady else {
            lines.append("wait for new figures: these are outdated")
            return
        }
        lines.append(
            Self.advice(comparison["promote"]?.string, served, bySurveys, byTaps?.rows ?? []))
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    private static func advice(
        _ promoted: String?, _ served: String, _ bySurveys: Part?, _ byTaps: [Row]
    ) -> String {
        guard let promoted else {
            guard let bySurveys, !bySurveys.rows.isEmpty else {
                return "keep \(served): nothing could be compared"
            }
            guard bySurveys.rows.contains(where: { $0.name == served }) else {
                return "keep \(served): it can't be tried here, so nothing is compared with it"
            }
            let others = bySurveys.rows.filter { $0.name != served }
            guard !others.isEmpty else {
                return "keep \(served): nothing beside it could be tried"
            }
            let isBest = others.allSatisfy { $0.verdict == "worse" }
            let untried = bySurveys.untried.map(\.name)
            guard !untried.isEmpty else {
                return isBest
                    ? "keep \(served): those beside it are worse"
                    : "keep \(served): none beside it is better beyond chance"
            }
            let reason =
                isBest
                ? "those that were tried are worse" : "none that was tried is better beyond chance"
            let verb = untried.count == 1 ? "was" : "were"
            return "keep \(served): \(reason); \(list(untried)) \(verb) not tried"
        }
        let isDoubtful = byTaps.contains { $0.name == promoted && $0.verdict == "worse" }
        return "promote \(promoted)" + (isDoubtful ? ", but by taps it is worse: look first" : "")
    }

    /// The figures by surveys or by taps.
    private struct Part {
        var scans = 0
        var places = 0
        var authors = 0
        var rows: [Row] = []
        var untried: [(name: String, detail: String)] = []

        /// Nil where there are no figures.
        init?(_ value: JSONValue?) {
            guard let part = value?.object else { return nil }
            scans = part["scans"]?.int ?? 0
            places = part["places"]?.int ?? 0
            authors = part["authors"]?.int ?? 0
            if let list = part["positioners"]?.array {
                for row in list { if let row = Row(row) { rows.append(row) } }
            }
            if let list = part["untried"]?.array {
                for one in list {
                    let (name, detail) = (one.object?["positioner"], one.object?["detail"])
                    untried.append((name: name?.string ?? "", detail: detail?.string ?? ""))
                }
            }
        }

        func table(served: String) -> [String] {
            let width = 2 + (rows.map(\.shownName.count).max() ?? 0)
            func padded(_ text: String) -> String {
                text + String(repeating: " ", count: max(0, width - text.count))
            }
            func line(_ name: String, _ cells: [String], _ end: String) -> String {
                let columns = cells.map {
                    String(repeating: " ", count: max(0, 9 - $0.count)) + $0
                }
                return "  " + padded(name) + columns.joined() + (end.isEmpty ? "" : "  " + end)
            }
            let missing = untried.map { "  \($0.name): not tried. \($0.detail)" }
            guard !rows.isEmpty else { return missing }
            let heads = [
                "mean m", "median m", "p95 m", "floor", "room", "in r68", "in r95", "located",
            ]
            return [line("", heads, "against \(served)")]
                + rows.map { line($0.shownName, $0.cells, $0.difference) } + missing
        }
    }

    /// The figures of one positioner.
    private struct Row {
        let name: String
        let remembers: Bool
        let followsChoice: Bool
        let verdict: String?
        let cells: [String]
        /// Its errors against those of the served one; empty for that one.
        let difference: String

        var shownName: String { remembers ? name + " *" : name }

        init?(_ value: JSONValue) {
            guard let row = value.object, let name = row["positioner"]?.string else { return nil }
            self.name = name
            remembers = row["remembers"]?.bool ?? false
            followsChoice = row["followsChoice"]?.bool ?? false
            let verdict = row["verdict"]?.string
            self.verdict = verdict
            cells = [
                Self.metres(row["mean"]), Self.metres(row["median"]), Self.metres(row["p95"]),
                Self.share(row["floorHit"]), Self.share(row["roomHit"]),
                Self.share(row["within68"]), Self.share(row["within95"]),
                Self.share(row["located"]),
            ]
            guard let verdict, let found = row["difference"]?.object else {
                difference = ""
                return
            }
            let (lower, upper) = (found["lower95"], found["upper95"])
            difference =
                "\(verdict), by \(Self.metres(found["mean"])) m "
                + "(\(Self.metres(lower)) to \(Self.metres(upper)))"
        }

        private static func metres(_ value: JSONValue?) -> String {
            value?.double.map { String(format: "%.2f", $0) } ?? "-"
        }

        private static func share(_ value: JSONValue?) -> String {
            value?.double.map { String(format: "%.1f %%", 100 * $0) } ?? "-"
        }
    }
}
