// Printed by deploy/app-files.py from the folder web/app. A test compares both.

/// The files of the visitor's app, by their names under `/app/`.
enum AppFiles {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("languages/cy.json", PackageResources.cy_json),
        ("languages/de.json", PackageResources.de_json),
        ("languages/en.json", PackageResources.en_json),
        ("served.css", PackageResources.served_css),
    ]
}
