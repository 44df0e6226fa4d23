import Glibc
public import ServiceRuntime

/// A file with certificates to trust.
public enum CertificateFile {
    /// The variable that names it, for services and commands alike.
    public static let variable = "WHEREABOUTS_CA_FILE"

    public static let form = Setting.TextForm("PATH") { fault($0) }

    /// What is wrong with the file, as it follows on the variable's name; nil for a good one. What
    /// is in it is libcurl's affair.
    public static func fault(_ path: String) -> String? {
        access(path, R_OK) == 0 ? nil : "names a file that can't be read"
    }
}
