package dev.numera.azure.backup;

import com.azure.data.tables.models.ListEntitiesOptions;

/** Rows of a table that are read together, a page at a time. */
record TablePart(String table, String filter, int rowsPerPage) {
    ListEntitiesOptions options() {
        return new ListEntitiesOptions().setFilter(filter).setTop(rowsPerPage);
    }
}
