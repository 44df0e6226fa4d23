import Foundation

/// PostgreSQL refuses to run as root. So root starts its programs as the user `postgres`.
func asServer(_ program: String) -> [String] {
    guard getuid() == 0 else { return [program] }
    return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", program]
}

/// Creates a directory for the server's account and deletes it when the tests end.
func makeServerDirectory(named name: String) throws -> URL {
    var template = Array("\(NSTemporaryDirectory())whereabouts-\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestServerError("no directory for \(name)") }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if getuid() == 0, let account = getpwnam("postgres") {
        guard chown(path, account.pointee.pw_uid, account.pointee.pw_gid) == 0 else {
            throw TestServerError("can't hand \(path) to postgres")
        }
    }
    AtExit.remove(path)
    return URL(filePath: path)
}
