internal import JSON
public import Timetables

/// Reads free computers from any JSON document, by paths.
///
/// A path has names with dots between them; `[]` takes each element of an array, or each value of
/// an object, and `[2]` the third element. `rooms` finds the rooms; `name`, `free` and `total`
/// begin at a room. The path of `free` may end at an array or an object, whose size counts then.
public enum CountPaths {
    private static let mostRooms = 10_000
    private static let mostNumber = 1_000_000

    private enum Step {
        case name(String)
        case element(Int)
        case each
    }

    public static func counts(
        in body: [UInt8], paths: [String: String]
    ) throws(FeedFault) -> [FoundCount] {
        let rooms = paths["rooms"] ?? "[]"
        let (name, free) = (paths["name"] ?? "name", paths["free"] ?? "free")
        let steps = [
            try steps(rooms), try steps(name), try steps(free),
            try steps(paths["total"] ?? "total"),
        ]
        var counts: [FoundCount] = []
        var missing: String?
        do throws(WireFault) {
            try withJSON(body) { (root) throws(WireFault) in
                let found = follow(steps[0][...], root)
                if found.isEmpty { missing = rooms }
                for room in found.prefix(mostRooms) {
                    guard let place = follow(steps[1][...], room).first.flatMap(text) else {
                        missing = missing ?? name
                        continue
                    }
                    let available = follow(steps[2][...], room).first
                    if available == nil { missing = missing ?? free }
                    counts.append(
                        FoundCount(
                            place: place, available: available.flatMap(number),
                            total: follow(steps[3][...], room).first.flatMap(number)))
                }
            }
        } catch {
            throw FeedFault("the answer is no JSON: \(error.detail)")
        }
        // One room without a number is a room without a number; all of them are another page.
        let hasNumber = counts.contains { $0.available != nil }
        if let missing, !hasNumber { throw FeedFault("the path finds nothing", path: missing) }
        return counts
    }

    /// Whether a text is such a path.
    public static func isPath(_ path: String) -> Bool { (try? steps(path)) != nil }

    private static func steps(_ path: String) throws(FeedFault) -> [Step] {
        var steps: [Step] = []
        for part in path.split(separator: ".") {
            let name = part.prefix { $0 != "[" }
            if !name.isEmpty { steps.append(.name(String(name))) }
            for index in part[name.endIndex...].split(separator: "[") {
                guard index.hasSuffix("]") else { throw FeedFault("no such path", path: path) }
                let text = index.dropLast()
                if text.isEmpty {
                    steps.append(.each)
                } else if let element = Int(text), element >= 0 {
                    steps.append(.element(element))
                } else {
                    throw FeedFault("no such path", path: path)
                }
            }
        }
        return steps
    }

    private static func follow(_ steps: ArraySlice<Step>, _ value: JSONValue) -> [JSONValue] {
        guard let step = steps.first else { return [value] }
        let rest = steps.dropFirst()
        var found: [JSONValue] = []
        switch step {
        case .name(let name):
            guard let object = value.object else { return [] }
            for member in object where member.name.string == name {
                found += follow(rest, member.value)
            }
        case .element(let wanted):
            guard let array = value.array else { return [] }
            for (index, element) in array.enumerated() where index == wanted {
                found += follow(rest, element)
            }
        case .each:
            if let array = value.array {
                for element in array where found.count < mostRooms {
                    found += follow(rest, element)
                }
            } else if let object = value.object {
                for member in object where found.count < mostRooms {
                    found += follow(rest, member.value)
                }
            }
        }
        return found
    }

    private static func text(_ value: JSONValue) -> String? {
        value.string ?? value.int.map(String.init)
    }

    private static func number(_ value: JSONValue) -> Int? {
        var count = value.int ?? value.string.flatMap { Int($0) }
        if let array = value.array { count = array.count }
        return count.flatMap { (0...mostNumber).contains($0) ? $0 : nil }
    }
}
