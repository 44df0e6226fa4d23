import Events
import Site

extension ImportedSite {
    /// Returns the same site if its document may be published.
    public func checked() throws(ImportRefusal) -> ImportedSite {
        guard let fault = SiteValidation.faults(in: document).first else { return self }
        let code: ImportRefusal.Code = fault.code == .tooMany ? .tooLarge : .malformed
        throw ImportRefusal(code, "\(fault.subject): \(fault.detail)")
    }
}
