extension ServiceProgram {
    /// Usage and the table of settings: name, shape, default, meaning.
    public var helpText: String {
        let rows = allSettings.map { setting in
            [setting.name, setting.kind.summary, setting.presence.summary, setting.help]
        }
        let table = [["variable", "value", "default", "meaning"]] + rows
        let widths = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
        var text = """
            \(name): \(summary)

            usage: \(command) [--help | --version | --check-config | --health]

              --check-config  says what is wrong with the environment, without starting
              --health        asks the running service whether it is well

            Settings come from the environment. A secret may come from a file: NAME_FILE.


            """
        for row in table {
            for (cell, width) in zip(row, widths) {
                text += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            text += row[3] + "\n"
        }
        return text
    }
}

extension Setting.Kind {
    /// The form of the value, in a few characters.
    var summary: String {
        switch self {
        case .text: "text"
        case .integer(let range): "\(range.lowerBound)…\(range.upperBound)"
        case .duration(let range):
            "\(range.lowerBound.configurationText)…\(range.upperBound.configurationText)"
        case .url(let schemes): schemes.map { "\($0)://…" }.joined(separator: "|")
        case .listenAddress: "host:port"
        case .choice(let words): words.joined(separator: "|")
        case .checked(let form): form.summary
        case .flag: "true|false"
        case .secret, .checkedSecret: "secret"
        }
    }
}

extension Setting.Presence {
    var summary: String {
        switch self {
        case .required: "(required)"
        case .optional: "(none)"
        case .defaultsTo(let text): text
        }
    }
}
