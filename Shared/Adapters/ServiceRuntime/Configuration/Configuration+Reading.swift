extension Configuration {
    /// Reads the setting's value. Returns nil when it is optional and absent, or else its fault.
    static func read(
        _ setting: Setting, in environment: [String: String]
    ) -> Result<ConfigurationValue?, ConfigurationFault> {
        func fault(_ problem: String) -> Result<ConfigurationValue?, ConfigurationFault> {
            .failure(ConfigurationFault(name: setting.name, problem: problem))
        }
        var given = nonEmpty(environment[setting.name])
        if setting.isSecret,
            let path = nonEmpty(environment[setting.name + "_FILE"])
        {
            guard given == nil else { return fault("is set twice: here and as a file") }
            do throws(MalformedValue) {
                given = try SecretFile.read(path)
            } catch {
                return .failure(
                    ConfigurationFault(name: setting.name + "_FILE", problem: error.reason))
            }
        }
        if given == nil {
            switch setting.presence {
            case .required: return fault("is missing: \(setting.help)")
            case .optional: return .success(nil)
            case .defaultsTo(let text): given = text
            }
        }
        do throws(MalformedValue) {
            return .success(try ConfigurationValue.parse(given ?? "", as: setting.kind))
        } catch {
            return fault(error.reason + shown(given ?? "", as: setting.kind))
        }
    }

    /// The most characters of a wrong value that a fault shows.
    private static let shownCharacters = 20

    /// The wrong value, as the end of a fault: one short word in place of a number, a duration or a
    /// choice. Anything else may be a secret that somebody has put into the wrong variable.
    private static func shown(_ value: String, as kind: Setting.Kind) -> String {
        switch kind {
        case .integer, .duration, .choice, .flag: break
        default: return ""
        }
        let isWord = value.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        return isWord && value.count <= shownCharacters ? " (it is \"\(value)\")" : ""
    }

    /// Variables with this prefix belong to the tests. No program reads them.
    static let testPrefix = "WHEREABOUTS_TEST_"

    static func unknownVariables(
        _ environment: [String: String], settings: [Setting], otherNames: Set<String>
    ) -> [ConfigurationFault] {
        let prefix = "WHEREABOUTS_"
        var known = otherNames
        for setting in settings {
            known.insert(setting.name)
            if setting.isSecret { known.insert(setting.name + "_FILE") }
        }
        return environment.keys.sorted()
            .filter { $0.hasPrefix(prefix) && !$0.hasPrefix(testPrefix) && !known.contains($0) }
            .map { name in
                let nearest = known.filter { $0.hasPrefix(prefix) }.sorted()
                    .map { (name: $0, distance: editDistance(name, $0)) }
                    .min { $0.distance < $1.distance }
                let hint = nearest.map { $0.distance <= 6 ? "; did you mean \($0.name)?" : "" }
                return ConfigurationFault(
                    name: name, problem: "is not known" + (hint ?? ""))
            }
    }

    private static func nonEmpty(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return text
    }

    /// The Levenshtein distance: the fewest insertions, deletions and changes of one byte.
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (index, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
