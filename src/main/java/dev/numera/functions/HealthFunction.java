package dev.numera.functions;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatus;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;

public final class HealthFunction {
    @FunctionName("Health")
    public HttpResponseMessage health(
            @HttpTrigger(
                    name = "request",
                    methods = HttpMethod.GET,
                    route = "health",
                    authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return request.createResponseBuilder(HttpStatus.OK).build();
    }
}
