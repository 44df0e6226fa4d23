import ServiceHost
import ServiceRuntime

struct SiteEditorSettings: Sendable {
    /// Origins whose pages may show Whereabouts' pages in a frame; `*` for all.
    let embedding: String
    let people: PeopleSettings
    /// The hour of a site's own clock at which pseudonyms change.
    let dayBegins: Int

    init(_ configuration: Configuration) {
        embedding = configuration.optionalText(Self.embedding) ?? ""
        people = PeopleSettings(configuration)
        dayBegins = configuration.integer(Self.dayBegins)
    }

    static let all = [embedding, dayBegins] + PeopleSettings.settings

    private static let dayBegins = Setting(
        "WHEREABOUTS_DAY_BEGINS", .integer(0...23), .defaultsTo("4"),
        help: "the hour of a site's clock at which pseudonyms of overheard devices change")

    private static let embedding = Setting(
        "WHEREABOUTS_EMBEDDING", .checked(OriginList.form), .optional,
        help: "origins whose pages may show our pages in a frame, with commas; * for all")
}
