package dev.numera.functions.batch;

import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.batch.Sha256;
import dev.numera.batch.Upload;
import dev.numera.batch.Uploads;
import dev.numera.functions.App;
import dev.numera.functions.Exchange;
import dev.numera.functions.PageToken;
import dev.numera.functions.Query;
import dev.numera.json.Json;
import dev.numera.problem.ProblemException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the calls that send or read a list have in common, be it to be numbered or to be imported. */
final class UploadEndpoint {
    static final String FOR_CSV = "/csv";

    private UploadEndpoint() {}

    /** The same for a request with the same body and the same of these parameters. */
    static String fingerprint(Exchange call, Query query, List<String> parameters) {
        // As JSON, in which a column named null is another than none, and no name runs on into the next.
        List<@Nullable String> form = new ArrayList<>();
        form.add(call.header("content-type"));
        parameters.forEach(parameter -> form.add(query.text(parameter)));
        return Sha256.hex(Json.of(form).toString(), call.body());
    }

    /** Gets an upload going, and tells where to look for it. */
    static HttpResponseMessage.Builder accepted(App app, Exchange call, Upload upload) {
        if (upload.status() == Upload.Status.PENDING) {
            // Also when it is under way: a copy does no harm, and whoever sends the request again may know that the
            // message is lost.
            send(app, QueueMessage.OfPart.next(upload));
        }
        return call.json(202, UploadJson.of(upload).json())
                .header("Location", uploads(call.uri()) + "/" + upload.id().id());
    }

    static void send(App app, QueueMessage.OfPart part) {
        app.storage().queue(Queues.REQUESTS).send(part.toMessage());
    }

    /** The path under which uploads are read. */
    private static String uploads(URI called) {
        String path = called.getRawPath().replaceFirst("/$", "");
        return path.endsWith(FOR_CSV) ? path.substring(0, path.length() - FOR_CSV.length()) : path;
    }

    /**
     * Without a key nobody can send the upload again: so whoever waits for it gets it going, if its message is lost.
     */
    static HttpResponseMessage.Builder pending(App app, Exchange call, Upload upload) {
        app.uploads().stalledPart(upload).ifPresent(part -> send(app, new QueueMessage.OfPart(upload.id(), part)));
        return call.pending(UploadJson.of(upload));
    }

    /** Pages of an upload or import. */
    static PageToken<Uploads.Position> pages(String pagesOf) {
        return new PageToken<>(
                pagesOf,
                position -> List.of(position.part(), position.row()),
                parts -> new Uploads.Position(Integer.parseInt(parts.get(0)), Integer.parseInt(parts.get(1))));
    }

    /** @throws ProblemException as {@link PageToken#start} */
    static Uploads.Position start(Query query, PageToken<Uploads.Position> pages) {
        return Objects.requireNonNullElse(pages.start(query), Uploads.Position.START);
    }
}
