# Numera on Microsoft's Functions host, for Azure Container Apps or Kubernetes: docs/containers.md. First run: mvn -DskipTests package
FROM mcr.microsoft.com/azure-functions/java:4-java17

ENV AzureWebJobsScriptRoot=/home/site/wwwroot \
    AzureFunctionsJobHost__Logging__Console__IsEnabled=true

# The app's own defaults are those of a developer's machine; these are the ones of infra/. An app that makes a lost table again restarts its numbers.
ENV Numera_AutoCreate=template \
    Numera_BackupSchedule="0 0 2 * * *" \
    Numera_Console=off \
    Numera_CreateTables=false \
    languageWorkers__java__arguments=-XX:+ExitOnOutOfMemoryError

COPY target/azure-functions/numera /home/site/wwwroot

EXPOSE 80
