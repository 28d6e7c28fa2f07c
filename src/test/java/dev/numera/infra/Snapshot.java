package dev.numera.infra;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The resources of a profile in {@code infra/profiles}, as the compiler expanded them. Values that only a deployment
 * knows, such as the id of an identity, are expressions in brackets. {@code tools/check-infra.sh} compares the files
 * with the templates.
 */
record Snapshot(String profile, List<JsonNode> resources) {
    static final List<String> PROFILES = List.of("smallest", "production", "private", "own-network");

    static Snapshot of(String profile) {
        String text = DeploymentFile.read("infra/profiles/" + profile + ".snapshot.json")
                .text();
        try {
            JsonNode resources = new ObjectMapper().readTree(text).required("predictedResources");
            return new Snapshot(
                    profile,
                    StreamSupport.stream(resources.spliterator(), false).toList());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The snapshot of " + profile + " is no JSON.", e);
        }
    }

    List<JsonNode> ofType(String type) {
        return resources.stream()
                .filter(resource -> resource.required("type").textValue().equals(type))
                .toList();
    }

    /** Returns the only resource of a type. */
    JsonNode only(String type) {
        List<JsonNode> found = ofType(type);
        if (found.size() != 1) {
            throw new IllegalStateException(profile + " has " + found.size() + " of " + type + ".");
        }
        return found.get(0);
    }

    /** Returns the last part of the name of each resource of a type. */
    Set<String> names(String type) {
        return ofType(type).stream().map(Snapshot::name).collect(Collectors.toCollection(TreeSet::new));
    }

    static String name(JsonNode resource) {
        return resource.required("name").textValue().replaceFirst(".*/", "");
    }

    /** Returns the app settings by name. */
    Map<String, String> settings() {
        JsonNode settings = only("Microsoft.Web/sites").at("/properties/siteConfig/appSettings");
        return StreamSupport.stream(settings.spliterator(), false)
                .collect(Collectors.toMap(text("name"), text("value"), (first, second) -> first, LinkedHashMap::new));
    }

    private static Function<JsonNode, String> text(String property) {
        return node -> node.required(property).textValue();
    }
}
