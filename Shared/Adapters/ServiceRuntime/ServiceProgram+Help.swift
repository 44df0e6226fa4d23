extension ServiceProgram {
    /// Usage and the table of settings: name, shape, default, meaning.
    public var helpText: String {
        var text = """
            \(name): \(summary)

            usage: \(command) [--help | --version | --check-config | --health]

              --check-config  says what is wrong with the environment, without starting
              --health        asks the running service whether it is well

            Settings come from the environment. A secret may come from a file: NAME_FILE. Each has
            its name, the form of its value, its default, and its meaning:


            """
        for setting in allSettings { text += Self.entry(setting) }
        return text
    }

    /// The most characters in a line of help.
    private static let helpWidth = 100

    /// A setting's name, form and default, then its meaning. A long form has lines of its own.
    private static func entry(_ setting: Setting) -> String {
        let (form, presence) = (setting.kind.summary, setting.presence.summary)
        let first = "\(setting.name)  \(form)  \(presence)"
        let head =
            first.count <= helpWidth
            ? [first] : ["\(setting.name)  \(presence)"] + indented(form, breakingAfter: "|")
        let lines = head + indented(setting.help, breakingAfter: " ")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text in lines that end after the given character.
    private static func indented(_ text: String, breakingAfter end: Character) -> [String] {
        let indent = "    "
        var lines: [String] = []
        var line = ""
        for part in text.split(separator: end, omittingEmptySubsequences: false) {
            if !line.isEmpty, indent.count + line.count + part.count > helpWidth {
                lines.append(indent + line)
                line = ""
            }
            line += part + String(end)
        }
        lines.append(indent + line.dropLast())
        return lines.map { $0.last == " " ? String($0.dropLast()) : $0 }
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
