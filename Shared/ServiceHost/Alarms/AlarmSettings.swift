import HTTPClient
public import ServiceRuntime

/// Where alarms are sent.
public struct AlarmSettings: Sendable {
    let recipients: [String]
    let server: MailServer?
    let webhook: String?
    let perHour: Int
    let round: Duration

    private static let mail = "WHEREABOUTS_ALARM_MAIL"
    private static let server = "WHEREABOUTS_ALARM_SMTP"
    private static let user = "WHEREABOUTS_ALARM_SMTP_USER"
    private static let password = "WHEREABOUTS_ALARM_SMTP_PASSWORD"
    private static let sender = "WHEREABOUTS_ALARM_SENDER"
    private static let webhook = "WHEREABOUTS_ALARM_WEBHOOK"

    public static let all: [Setting] = [
        Setting(
            mail, .checked(addressesForm), .optional,
            help: "addresses that get alarms by mail, with commas"),
        Setting(
            server, .url(schemes: ["smtp", "smtps"]), .optional,
            help: "the mail server for alarms: smtp://host:587 or smtps://host:465"),
        Setting(
            user, .text, .optional,
            help: "the account at the mail server; with one, the connection must be encrypted"),
        Setting(password, .secret, .optional, help: "the account's password at the mail server"),
        Setting(
            sender, .checked(addressForm), .optional,
            help: "the address that alarms come from; if empty the account, or who gets them"),
        Setting(
            webhook, .checkedSecret(webhookForm), .optional,
            help: "the address that gets alarms as JSON by POST; it may hold a secret"),
        perHourSetting, roundSetting,
    ]

    private static let perHourSetting = Setting(
        "WHEREABOUTS_ALARMS_PER_HOUR", .integer(1...1_000), .defaultsTo("10"),
        help: "the most messages with alarms an hour; later ones tell what had to wait")
    private static let roundSetting = Setting(
        "WHEREABOUTS_ALARM_ROUND", .duration(.seconds(1) ... .seconds(3_600)), .defaultsTo("60s"),
        help: "the time between two looks at the conditions of the alarms")

    init(_ configuration: Configuration) {
        recipients = Self.addresses(configuration.optionalText(Self.mail) ?? "")
        webhook = configuration.optionalSecret(Self.webhook)?.reveal()
        perHour = configuration.integer(Self.perHourSetting.name)
        round = configuration.duration(Self.roundSetting.name)
        guard let url = configuration.optionalText(Self.server), let first = recipients.first else {
            server = nil
            return
        }
        let user = configuration.optionalText(Self.user)
        server = MailServer(
            url: url,
            sender: configuration.optionalText(Self.sender)
                ?? user.flatMap { MailMessage.isAddress($0) ? $0 : nil } ?? first,
            account: user.map {
                ($0, configuration.optionalSecret(Self.password)?.reveal() ?? "")
            },
            certificateFile: configuration.optionalText(CertificateFile.variable))
    }

    /// Settings that need others.
    public static func missing(in environment: [String: String]) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        var faults: [ConfigurationFault] = []
        if isGiven(mail), !isGiven(server) {
            faults.append(
                ConfigurationFault(
                    name: server, problem: "is missing: \(mail) is set, so mail needs a server"))
        }
        if isGiven(server), !isGiven(mail) {
            faults.append(
                ConfigurationFault(
                    name: mail,
                    problem: "is missing: \(server) is set, and nobody would get mail by it"))
        }
        if isGiven(user), !isSecretGiven(password, in: environment) {
            faults.append(
                ConfigurationFault(
                    name: password, problem: "is missing: \(user) is set, so it needs a password"))
        }
        return faults
    }

    private static func addresses(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0).trimmingSpaces }
    }

    private static let addressForm = Setting.TextForm("name@host") {
        MailMessage.isAddress($0) ? nil : "must be an address such as alarms@museum.example"
    }

    private static let addressesForm = Setting.TextForm("name@host,...") { text in
        let all = addresses(text)
        guard all.count <= 20 else { return "may name 20 addresses at most" }
        return all.allSatisfy(MailMessage.isAddress)
            ? nil : "must be addresses such as it@museum.example, with commas between them"
    }

    private static let webhookForm = Setting.TextForm("secret") { text in
        let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix)
        let isAddress =
            scheme.map { text.count > $0.count } ?? false
            && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        return isAddress ? nil : "must be an address that begins with http:// or https://"
    }
}
