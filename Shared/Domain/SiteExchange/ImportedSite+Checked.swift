import Events
public import Site

extension ImportedSite {
    /// Returns the same site if its document may be published. Facts that do not fit their
    /// connections' kinds are left out, with a note about each.
    ///
    /// - Parameter former: the site that the file went into; its own facts stay.
    public func checked(
        after former: SiteDocument? = nil
    ) throws(ImportRefusal) -> ImportedSite {
        let fitting = fitting(after: former)
        guard let fault = SiteValidation.faults(in: fitting.document).first else { return fitting }
        let code: ImportRefusal.Code = fault.code == .tooMany ? .tooLarge : .malformed
        throw ImportRefusal(code, "\(fault.subject): \(fault.detail)")
    }

    func fitting(after former: SiteDocument? = nil) -> ImportedSite {
        var fitting = self
        for misfit in fitting.document.removeUnfittingFacts(after: former) {
            fitting.report.note(
                misfit.connection.text, .factUnfitting, "left out: \(misfit.detail)")
        }
        return fitting
    }
}

extension ImportNote.What {
    static let factUnfitting = Self(rawValue: "fact-unfitting")
}
