package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.servlet.annotation.WebServlet;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.core.request.StreamFields;
import org.svcmailbox.web.json.JsonRequest;
import org.svcmailbox.web.peer.PeerCallsServlet;
import org.svcmailbox.web.peer.PeerGroupsServlet;
import org.svcmailbox.web.peer.PeerReadyServlet;
import org.svcmailbox.web.peer.PeerStateServlet;
import org.svcmailbox.web.servlet.MessageServlet;
import org.svcmailbox.web.servlet.OctetServlet;

/** The OpenAPI document and the code describe the same API, checked in both directions. */
class OpenApiTest {
  /** Endpoints that are servlets rather than JAX-RS resources. */
  private static final Set<String> SERVLETS =
      Set.of("GET /healthz", "GET /readyz", "GET /metrics", "GET /v1/events");

  private static final String OCTETS = MediaType.APPLICATION_OCTET_STREAM;

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private static final List<Class<?>> CLASSES =
      new ClassFileImporter()
              .withImportOption(new ImportOption.DoNotIncludeTests())
              .importPackages("org.svcmailbox.web", "org.svcmailbox.core.request")
              .stream()
              .<Class<?>>map(JavaClass::reflect)
              .toList();

  /** The schemas of bodies that gRPC has as well. */
  private static final Map<Class<?>, String> SHARED =
      Map.of(
          SendFields.class,
          "SendMessageRequest",
          RecvFields.class,
          "ReceiveRequest",
          StreamFields.class,
          "OpenRequest",
          AckFields.class,
          "AckRequest",
          NackFields.class,
          "NackRequest",
          ExtendFields.class,
          "ExtendRequest");

  private final JsonNode document = document();

  private static JsonNode document() {
    try (InputStream yaml = OpenApiTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      return new YAMLMapper().readTree(yaml);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * An operation.
   *
   * @param name as {@code POST /v1/send}
   * @param body its JSON; null for none
   * @param takesOctets whether it also takes a bare payload
   */
  private record Route(String name, @Nullable Class<?> body, boolean takesOctets) {}

  private static List<Route> routes() {
    return Stream.concat(resources(), servlets()).toList();
  }

  /** Inherited methods serve a former path, which is not documented. */
  private static Stream<Route> resources() {
    String application = MailboxApplication.class.getAnnotation(ApplicationPath.class).value();
    List<Route> routes = new ArrayList<>();
    for (Class<?> type : CLASSES) {
      Path path = type.getAnnotation(Path.class);
      for (Method method : path != null ? type.getDeclaredMethods() : new Method[0]) {
        String called = " " + application + named(path) + own(method);
        httpMethod(method)
            .forEach(verb -> routes.add(new Route(verb + called, body(method), false)));
      }
    }
    return routes.stream();
  }

  private static @Nullable Class<?> body(Method method) {
    return Stream.of(method.getParameterTypes())
        .filter(JsonRequest.class::isAssignableFrom)
        .findFirst()
        .orElse(null);
  }

  private static Stream<Route> servlets() {
    return CLASSES.stream()
        .filter(type -> MessageServlet.class.isAssignableFrom(type))
        .filter(type -> type.isAnnotationPresent(WebServlet.class))
        .map(OpenApiTest::server);
  }

  private static Route server(Class<?> type) {
    String path = type.getAnnotation(WebServlet.class).urlPatterns()[0];
    Type form = ((ParameterizedType) type.getGenericSuperclass()).getActualTypeArguments()[0];
    return new Route("POST " + path, (Class<?>) form, OctetServlet.class.isAssignableFrom(type));
  }

  /** Strips the patterns of path parameters. */
  private static String named(Path path) {
    int form = path.value().indexOf(':');
    return form < 0 ? path.value() : path.value().substring(0, form) + "}";
  }

  private static String own(Method method) {
    Path path = method.getAnnotation(Path.class);
    return path != null ? path.value() : "";
  }

  private static Stream<String> httpMethod(Method method) {
    return Stream.of(method.getAnnotations())
        .map(Annotation::annotationType)
        .filter(type -> type.isAnnotationPresent(HttpMethod.class))
        .map(type -> type.getAnnotation(HttpMethod.class).value());
  }

  private Map<String, JsonNode> operations() {
    Map<String, JsonNode> operations = new TreeMap<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        item -> {
                          if (METHODS.contains(item.getKey())) {
                            String verb = item.getKey().toUpperCase(Locale.ROOT);
                            operations.put(verb + " " + path.getKey(), item.getValue());
                          }
                        }));
    return operations;
  }

  private JsonNode schema(String name) {
    return document.path("components").path("schemas").path(name);
  }

  private static String nameOf(Class<?> type) {
    return SHARED.getOrDefault(type, type.getSimpleName());
  }

  private static boolean isRequest(Class<?> type) {
    return SHARED.containsKey(type)
        || (type.isRecord() && JsonRequest.class.isAssignableFrom(type));
  }

  private static Set<String> components(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .flatMap(OpenApiTest::fieldNames)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> fieldNames(RecordComponent component) {
    if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
      return components(component.getType()).stream();
    }
    JsonProperty own = component.getAccessor().getAnnotation(JsonProperty.class);
    return Stream.of(
        own != null ? own.value() : SnakeCaseStrategy.INSTANCE.translate(component.getName()));
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void everyRouteIsDescribedAndNoOther() {
    Set<String> real = new TreeSet<>(SERVLETS);
    routes().forEach(route -> real.add(route.name()));
    assertEquals(real, operations().keySet());
    assertEquals(55 + SERVLETS.size(), real.size());
  }

  @Test
  void theServletsAreWhereTheDocumentSays() {
    Set<String> paths =
        CLASSES.stream()
            .map(type -> type.getAnnotation(WebServlet.class))
            .filter(annotation -> annotation != null)
            .flatMap(annotation -> Stream.of(annotation.urlPatterns()))
            .collect(Collectors.toSet());
    SERVLETS.forEach(operation -> assertTrue(paths.contains(operation.substring(4)), operation));
  }

  /** They change with a release and are for nobody else, as docs/adr/0150 says. */
  @Test
  void callsBetweenNodesAreNoPartOfTheDocument() {
    assertTrue(
        CLASSES.containsAll(
            List.of(
                PeerCallsServlet.class,
                PeerReadyServlet.class,
                PeerStateServlet.class,
                PeerGroupsServlet.class)));
    assertEquals(
        List.of(), operations().keySet().stream().filter(name -> name.contains("peer")).toList());
  }

  @Test
  void everyRequestBodyIsTheRecordOfItsName() {
    Map<String, JsonNode> operations = operations();
    for (Route route : routes()) {
      String reference =
          operations
              .getOrDefault(route.name(), document)
              .path("requestBody")
              .path("content")
              .path("application/json")
              .path("schema")
              .path("$ref")
              .asText();
      Class<?> body = route.body();
      String expected = body == null ? "" : "#/components/schemas/" + nameOf(body);
      assertEquals(expected, reference, route.name());
    }
  }

  @Test
  void theDocumentNamesTheCallsThatTakeBarePayloads() {
    Set<String> documented = new TreeSet<>();
    operations()
        .forEach(
            (name, operation) -> {
              if (operation.path("requestBody").path("content").has(OCTETS)) {
                documented.add(name);
              }
            });
    Set<String> real =
        routes().stream()
            .filter(Route::takesOctets)
            .map(Route::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("POST /v1/send", "POST /v1/recv"), real);
    assertEquals(real, documented);
  }

  @Test
  void everyRecordHasTheFieldsTheDocumentSays() {
    int compared = 0;
    for (Class<?> type : CLASSES) {
      if (type.isRecord() && schema(nameOf(type)).has("properties")) {
        Set<String> documented = names(schema(nameOf(type)).path("properties"));
        assertEquals(components(type), documented, type.getSimpleName());
        compared++;
      }
    }
    assertEquals(54, compared);
  }

  @Test
  void everyRequestIsDocumentedAsStrict() {
    CLASSES.stream()
        .filter(OpenApiTest::isRequest)
        .forEach(
            type -> {
              JsonNode schema = schema(nameOf(type));
              assertTrue(schema.has("additionalProperties"), type.getSimpleName());
              assertFalse(schema.path("additionalProperties").asBoolean(true));
            });
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    for (JsonNode reference : document.findValues("$ref")) {
      String pointer = reference.asText().substring(1);
      assertFalse(document.at(pointer).isMissingNode(), reference.asText());
    }
  }

  @Test
  void everyCallThatChangesSomethingDocumentsIts503() {
    Set<String> undocumented = new TreeSet<>();
    operations()
        .forEach(
            (name, operation) -> {
              String meaning = operation.path("responses").path("503").path("$ref").asText();
              if (!name.startsWith("GET ") && meaning.endsWith("/Unavailable")) {
                undocumented.add(name);
              }
            });
    assertEquals(Set.of(), undocumented);
  }

  @Test
  void theCodesAreTheProblems() {
    List<String> codes = new ArrayList<>();
    schema("Problem")
        .path("properties")
        .path("code")
        .path("enum")
        .forEach(code -> codes.add(code.asText()));
    assertEquals(Stream.of(Problem.values()).map(Enum::name).toList(), codes);
  }
}
