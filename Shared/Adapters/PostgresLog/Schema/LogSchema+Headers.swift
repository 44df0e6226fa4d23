extension LogSchema {
    /// The views show the headers that CloudEvents and the W3C define. For other headers they show
    /// only the names: strangers write those, and they may contain tokens and signatures.
    static let headers = """
        CREATE OR REPLACE FUNCTION log.headers_of(bytes bytea) RETURNS jsonb
        LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
        DECLARE
            at int := 0;
            size int;
            name text;
            found jsonb := '{}';
        BEGIN
            WHILE at < length(bytes) LOOP
                size := get_byte(bytes, at) + 256 * get_byte(bytes, at + 1);
                name := log.text_of(substring(bytes FROM at + 3 FOR size));
                at := at + 2 + size;
                size := get_byte(bytes, at) + 256 * get_byte(bytes, at + 1)
                    + 65536 * get_byte(bytes, at + 2) + 16777216 * get_byte(bytes, at + 3);
                found := found || jsonb_build_object(
                    name, CASE WHEN name LIKE 'ce\\_%' OR name IN ('content-type', 'traceparent')
                        THEN log.text_of(substring(bytes FROM at + 5 FOR size)) END);
                at := at + 4 + size;
            END LOOP;
            RETURN found;
        END $body$;
        """
}
