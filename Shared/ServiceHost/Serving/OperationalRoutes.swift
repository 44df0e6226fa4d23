import HTTP
import ServiceRuntime

/// The routes /healthz (the process answers), /readyz (its parts work) and /metrics.
func operationalRoutes(_ context: ServiceContext) -> [Route] {
    [
        Route(
            .get, "/healthz",
            handler: .callback { _, responder in
                responder.respond(.json(Array(#"{"status":"ok"}"#.utf8)))
            }
        ).uncounted,
        Route(
            .get, "/readyz",
            handler: .callback { _, responder in
                let health = context.health
                responder.respond(
                    .json(Array(health.summaryJSON.utf8), status: health.isReady ? 200 : 503))
            }
        ).uncounted,
        Route(
            .get, "/metrics",
            handler: .callback { _, responder in
                responder.respond(
                    HTTPResponse(
                        headers: [("content-type", MetricsRegistry.contentType)],
                        body: .bytes(Array(context.metrics.exposition.utf8))))
            }),
    ]
}
