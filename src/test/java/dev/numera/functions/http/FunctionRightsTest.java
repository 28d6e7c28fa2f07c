package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.numera.fixtures.OpenApiDocument;
import dev.numera.functions.App;
import dev.numera.json.Json;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which function each right opens, found by calling every function of the app. No storage is reachable, and each
 * request has a parameter that no call knows: a call that passes the check is 400, and a refusal has read nothing.
 */
class FunctionRightsTest {
    private static final String NO_STORAGE = "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;"
            + "TableEndpoint=http://127.0.0.1:9/a;QueueEndpoint=http://127.0.0.1:9/a;BlobEndpoint=http://127.0.0.1:9/a";

    private static final App APP = app("optional");
    private static final App STRICT_APP = app("required");

    /** The functions that anyone may call, without a key. */
    private static final Set<String> ANONYMOUS = Set.of("Console", "ConsoleFile", "Docs", "Health", "OpenApi");

    /** The functions for which any right in any scope is enough, and the anonymous ones. */
    private static final Set<String> WITH_ANY_RIGHT =
            Set.of("Console", "ConsoleFile", "Docs", "Health", "Me", "OpenApi");

    private static final List<String> RIGHTS =
            List.of("Numera.Allocate", "Numera.Read", "Numera.Define", "Numera.Operate");

    private static final SortedMap<String, Method> FUNCTIONS = functions();

    @Test
    void withoutARightOnlyTheAnonymousFunctionsAnswer() {
        assertTrue(FUNCTIONS.size() > 30, FUNCTIONS.keySet()::toString);
        for (String rights : List.of("Numera.Nothing", "", "Other.Role", "numera.read")) {
            assertEquals(ANONYMOUS, opened(APP, "a", rights));
        }
    }

    @Test
    void everyFunctionIsOpenToAKeyWithoutTheHeaderUnlessItIsRequired() {
        assertEquals(FUNCTIONS.keySet(), opened(APP, "a", null));
        assertEquals(ANONYMOUS, opened(STRICT_APP, "a", null));
        assertEquals(FUNCTIONS.keySet(), opened(STRICT_APP, "a", String.join(" ", RIGHTS)));
    }

    @Test
    void everyRightOpensWhatTheDocumentStates() {
        assertOpens((function, right) -> described(function).contains(right + ":{scope}"), "x-numera-rights");
        assertOpens(
                (function, right) -> documented(right, "path").contains(function)
                        || documented(right, "`scope=`").contains(function),
                "docs/rights.md");
        for (String right : RIGHTS) {
            assertEquals(
                    opened(APP, "a", right),
                    FUNCTIONS.keySet().stream()
                            .filter(function -> ANONYMOUS.contains(function)
                                    || described(function).stream().anyMatch(word -> word.replace(":{scope}", "")
                                            .equals(right)))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        assertEquals(ANONYMOUS, documented("no right", ""));
        assertEquals(Set.of("Me"), documented("any right", "any"));
        assertEquals(Set.of("DropPoison", "ListPoison", "RequeuePoison"), documented("Numera.Operate", "none"));
    }

    /** Calls every function in two scopes, with every right for the first one, and with the start of its name. */
    private static void assertOpens(Opens expected, String source) {
        for (String right : RIGHTS) {
            Set<String> inScope = FUNCTIONS.keySet().stream()
                    .filter(function -> WITH_ANY_RIGHT.contains(function) || expected.opens(function, right))
                    .collect(Collectors.toCollection(TreeSet::new));
            for (String rights : List.of(right + ":a", right + ":a Other.Role", right + ":x " + right + ":a*")) {
                assertEquals(inScope, opened(APP, "a", rights), () -> source + ": " + rights);
                assertEquals(WITH_ANY_RIGHT, opened(APP, "b", rights), () -> source + ": " + rights + " in b");
                assertEquals(WITH_ANY_RIGHT, opened(APP, "A", rights), () -> source + ": " + rights + " in A");
                assertEquals(WITH_ANY_RIGHT, opened(APP, "~", rights), () -> source + ": " + rights + " in ~");
            }
        }
    }

    private interface Opens {
        boolean opens(String function, String right);
    }

    /** A list over all scopes is refused to a caller with rights in one, and never shortened. */
    @Test
    void allScopesNeedARightWithoutAScope() throws IOException {
        for (String function : List.of("ListSequences", "Find", "ListAttention")) {
            for (String query : List.of("", "scope=", "scope=a&scope=a", "Scope=a", "scope=b&scope=a")) {
                HttpResponseMessage answer = call(APP, function, "a", "?nonsense=1&" + query, "Numera.Read:a");
                assertEquals(403, answer.getStatusCode(), query);
                assertTrue(answer.getBody().toString().contains("scope="), answer.getBody()::toString);
                assertEquals(List.of("Numera.Read"), list(answer, "needs"));
            }
            for (String query : List.of("scope=a", "%73cope=%61", "q=1&scope=a")) {
                assertEquals(
                        400,
                        call(APP, function, "a", "?nonsense=1&" + query, "Numera.Read:a")
                                .getStatusCode(),
                        query);
            }
        }
    }

    @Test
    void theRefusalNamesWhatIsEnoughAndWhatTheCallHas() throws IOException {
        HttpResponseMessage next = call(APP, "Allocate", "Shop2", "", "Other.Role Numera.Allocate:Shop1");
        assertEquals(403, next.getStatusCode());
        assertEquals("no-store", next.getHeader("Cache-Control"));
        assertEquals(List.of("Numera.Allocate:Shop2", "Numera.Allocate"), list(next, "needs"));
        assertEquals(List.of("Numera.Allocate:Shop1"), list(next, "has"));
        HttpResponseMessage poison = call(APP, "ListPoison", "", "", "Numera.Operate:Shop1");
        assertEquals(List.of("Numera.Operate"), list(poison, "needs"));
        assertEquals(List.of("Numera.Operate:Shop1"), list(poison, "has"));
        HttpResponseMessage state = call(STRICT_APP, "ReadState", "a", "", null);
        assertTrue(state.getBody().toString().contains("Numera_Rights"), state.getBody()::toString);
        assertEquals(6, list(state, "needs").size());
        assertEquals(List.of(), list(state, "has"));
    }

    /** The host decodes the path. A scope that no sequence can have is 400 before its text gets into a refusal. */
    @Test
    void aScopeThatCannotExistIsNotRepeated() {
        for (String scope : List.of("", "a b", "%61", "a,b", "a/../b", "*", "a*", "~x", "\u00e4", "a".repeat(64))) {
            assertEquals(
                    400, call(APP, "Allocate", scope, "", "Numera.Allocate:a").getStatusCode(), scope);
        }
    }

    @Test
    void aWrongHeaderIsRefusedByEveryFunctionWithAKey() {
        for (String rights : List.of("Numera.Read:*", "Numera.Read,Numera.Read", "x".repeat(4_097))) {
            FUNCTIONS.forEach((function, method) -> {
                HttpResponseMessage answer = call(APP, function, "a", "?scope=a&nonsense=1", rights);
                assertNotEquals(403, answer.getStatusCode(), function);
                assertEquals(
                        !ANONYMOUS.contains(function),
                        String.valueOf(answer.getBody()).contains("Numera-Rights"),
                        function);
            });
        }
    }

    private static App app(String rights) {
        return new App(Map.of("NumeraStorage", NO_STORAGE, "Numera_CreateTables", "false", "Numera_Rights", rights));
    }

    /** Returns the functions that do not refuse the call for its rights. */
    private static Set<String> opened(App app, String scope, String rights) {
        return FUNCTIONS.keySet().stream()
                .filter(function -> {
                    HttpResponseMessage answer = call(app, function, scope, "?scope=" + scope + "&nonsense=1", rights);
                    assertTrue(
                            Set.of(400, 403, 404, 415).contains(answer.getStatusCode()),
                            () -> function + " " + answer.getStatusCode() + " " + answer.getBody());
                    return answer.getStatusCode() != 403;
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static HttpResponseMessage call(App app, String function, String scope, String query, String rights) {
        Method method = FUNCTIONS.get(function);
        HttpRequestMessage<Optional<String>> request = Requests.of(
                "/api/" + function + query, null, rights == null ? Map.of() : Map.of("numera-rights", rights));
        Object[] arguments = Arrays.stream(method.getParameters())
                .map(parameter -> argument(parameter, request, scope))
                .toArray();
        try {
            return (HttpResponseMessage) method.invoke(
                    method.getDeclaringClass().getConstructor(App.class).newInstance(app), arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(function, e);
        }
    }

    private static Object argument(Parameter parameter, HttpRequestMessage<?> request, String scope) {
        BindingName name = parameter.getAnnotation(BindingName.class);
        return name == null ? request : name.value().equals("scope") ? scope : "x";
    }

    /** Returns the methods that the host calls for an HTTP request, by the name of the function. */
    private static SortedMap<String, Method> functions() {
        return new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("dev.numera.functions")
                        .stream()
                        .map(JavaClass::reflect)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(FunctionName.class))
                        .filter(isHttp())
                        .collect(Collectors.toMap(
                                method ->
                                        method.getAnnotation(FunctionName.class).value(),
                                method -> method,
                                (one, other) -> {
                                    throw new IllegalStateException(one + " and " + other + " have one name.");
                                },
                                TreeMap::new));
    }

    private static Predicate<Method> isHttp() {
        return method -> Arrays.stream(method.getParameters())
                .anyMatch(parameter -> parameter.isAnnotationPresent(HttpTrigger.class));
    }

    private static List<String> described(String function) {
        JsonNode operation = OpenApiDocument.OF_THE_APP.operations().stream()
                .filter(each -> each.id().equals(function))
                .findFirst()
                .orElseThrow()
                .json();
        assertEquals(
                ANONYMOUS.contains(function), operation.get("x-numera-rights").isEmpty(), function);
        assertEquals(!ANONYMOUS.contains(function), operation.get("responses").has("403"), function);
        return strings(operation.get("x-numera-rights"));
    }

    /** Returns the functions in the row of the docs for a right and a place of its scope. */
    private static Set<String> documented(String right, String place) {
        Matcher row = Pattern.compile(
                        "(?m)^\\| `?" + Pattern.quote(right) + "`? \\| (.*) \\| " + Pattern.quote(place) + " ?\\|$")
                .matcher(page());
        return row.find()
                ? Stream.of(row.group(1).replace("`", "").split(", ")).collect(Collectors.toCollection(TreeSet::new))
                : Set.of();
    }

    private static String page() {
        try {
            return Files.readString(Path.of("docs/rights.md"));
        } catch (IOException e) {
            throw new IllegalStateException("The page cannot be read.", e);
        }
    }

    private static List<String> list(HttpResponseMessage answer, String member) throws IOException {
        return strings(Json.read(answer.getBody().toString()).get(member));
    }

    private static List<String> strings(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.textValue()));
        return texts;
    }
}
