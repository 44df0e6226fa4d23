public import ServiceRuntime

/// The file of certificates that are trusted beside the system's own.
public enum CertificateFile {
    /// The variable with the file's path, for services and commands alike.
    public static let variable = "WHEREABOUTS_CA_FILE"

    public static let form = Setting.TextForm("PATH") { fault($0) }

    /// The fault of the file, as the rest of a sentence that begins with the variable's name; nil
    /// for a readable file. libcurl checks the content.
    public static func fault(_ path: String) -> String? { unreadableFile(path) }
}
