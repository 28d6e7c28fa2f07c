package dev.numera.azure.backup;

import com.azure.data.tables.models.ListEntitiesOptions;

/** Selects rows of a table by a filter, and states how many of them a page has. */
record TablePart(String table, String filter, int rowsPerPage) {
    ListEntitiesOptions options() {
        return new ListEntitiesOptions().setFilter(filter).setTop(rowsPerPage);
    }
}
