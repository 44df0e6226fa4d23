/// The schema with the names of devices and people. Logs, views and files know them by random ids,
/// so whoever is deleted here is nobody everywhere else.
enum NamesSchema {
    static let name = "site_editor_names"
}
